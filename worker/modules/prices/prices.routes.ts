import { Hono } from 'hono';
import { z } from 'zod';
import { pricesQuerySchema, solPriceQuerySchema, tokenSearchQuerySchema } from '#schema/contracts/prices.ts';
import { addressSchema } from '#schema/contracts/shared.ts';
import type { AppEnv } from '../../app/context.ts';
import { requireUser } from '../../app/session.ts';
import { validate } from '../../app/validate.ts';

export const pricesRoutes = new Hono<AppEnv>()
  .get('/prices', validate('query', pricesQuerySchema), async (c) =>
    c.json(await c.var.services.prices.shownPrices(c.req.valid('query').mints)),
  )
  .get('/tokens/search', requireUser, validate('query', tokenSearchQuerySchema), async (c) => {
    const { tokenSearch } = c.var.services;
    return c.json(await tokenSearch.searchTokens({ userId: c.var.userId, text: c.req.valid('query').q }));
  })
  .get('/prices/sol', validate('query', solPriceQuerySchema), async (c) =>
    c.json(await c.var.services.prices.solPrice()),
  )
  .get('/tokens/:mint', validate('param', z.object({ mint: addressSchema })), async (c) =>
    c.json(await c.var.services.prices.lookupToken(c.req.valid('param').mint)),
  );
