import { Hono } from 'hono';
import { z } from 'zod';
import { pricesQuerySchema } from '#schema/contracts/prices.ts';
import { addressSchema } from '#schema/contracts/shared.ts';
import type { AppEnv } from '../../app/context.ts';
import { validate } from '../../app/validate.ts';

export const pricesRoutes = new Hono<AppEnv>()
  .get('/prices', validate('query', pricesQuerySchema), async (c) =>
    c.json(await c.var.services.prices.shownPrices(c.req.valid('query').mints)),
  )
  .get('/tokens/:mint', validate('param', z.object({ mint: addressSchema })), async (c) =>
    c.json(await c.var.services.prices.lookupToken(c.req.valid('param').mint)),
  );
