import { Hono } from 'hono';
import { z } from 'zod';
import { pricesQuerySchema, solPriceQuerySchema, tokenSearchQuerySchema } from '#schema/contracts/prices.ts';
import { addressSchema } from '#schema/contracts/shared.ts';
import { canonicalQuery } from '../../../app/canonical-query.ts';
import type { AppEnv } from '../../../app/context.ts';
import { PRIVATE } from '../../../app/cache-control.ts';
import { networkOfVisitor } from '../../../app/network-of.ts';
import { findViewer, requireUser } from '../../../app/session.ts';
import { validate } from '../../../app/validate.ts';

export const pricesRoutes = new Hono<AppEnv>()
  .get('/prices', validate('query', pricesQuerySchema), canonicalQuery(pricesQuerySchema), async (c) => {
    const { mints } = c.req.valid('query');
    const { prices, isPublic } = await c.var.services.prices.shownPrices({
      mints,
      visitor: networkOfVisitor(c),
    });
    if (!isPublic) c.header('Cache-Control', PRIVATE);
    return c.json(prices);
  })
  .get('/tokens/search', requireUser, validate('query', tokenSearchQuerySchema), async (c) => {
    const { tokenSearch } = c.var.services;
    return c.json(await tokenSearch.searchTokens({ userId: c.var.userId, text: c.req.valid('query').q }));
  })
  .get('/prices/sol', validate('query', solPriceQuerySchema), async (c) =>
    c.json(await c.var.services.prices.solPrice()),
  )
  .get('/tokens/:mint', validate('param', z.object({ mint: addressSchema })), async (c) => {
    const { mint } = c.req.valid('param');
    const viewerId = await findViewer(c);
    return c.json(await c.var.services.prices.lookupToken({ mint, viewerId, visitor: networkOfVisitor(c) }));
  });
