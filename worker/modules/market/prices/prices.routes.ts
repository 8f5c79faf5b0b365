import { Hono } from 'hono';
import { z } from 'zod';
import { pricesQuerySchema, solPriceQuerySchema, tokenSearchQuerySchema } from '#schema/contracts/prices.ts';
import { addressSchema } from '#schema/contracts/shared.ts';
import type { AppEnv } from '../../../app/context.ts';
import { route, signedInRoutes } from '../../../app/route.ts';
import { PRIVATE } from '../../../app/cache-control.ts';
import { networkOfVisitor } from '../../../app/network-of.ts';
import { validate } from '../../../app/validate.ts';

export const pricesRoutes = new Hono<AppEnv>()
  .get(
    '/prices',
    route({
      // Many visitors may share an address, and each page repeats its request every ten seconds.
      limit: 'cheap',
      tag: 'Prices',
      cache: 'public, max-age=5',
      replica: true,
      summary: 'Prices by mint',
      response: 'ShownPrices',
      errors: ['tokens.too_many_lookups'],
    }),
    validate('query', pricesQuerySchema),
    async (c) => {
      const { mints } = c.req.valid('query');
      const { prices, isPublic } = await c.var.services.prices.shownPrices({
        mints,
        network: networkOfVisitor(c),
      });
      if (!isPublic) c.header('Cache-Control', PRIVATE);
      return c.json(prices);
    },
  )
  .get(
    '/tokens/search',
    signedInRoutes('Prices').costly({
      apiKey: 'read',
      summary: 'Search for a token, for callers',
      response: 'FoundToken[]',
      errors: ['users.not_a_caller', 'tokens.too_many_searches', 'prices.unavailable', 'prices.busy'],
    }),
    validate('query', tokenSearchQuerySchema),
    async (c) => {
      const { tokenSearch } = c.var.services;
      return c.json(await tokenSearch.searchTokens({ userId: c.var.userId, text: c.req.valid('query').q }));
    },
  )
  .get(
    '/prices/sol',
    route({
      limit: 'reads',
      tag: 'Prices',
      // This price is only for display, and refreshed once a minute.
      cache: 'public, max-age=60, stale-while-revalidate=300',
      summary: 'The price of SOL',
      response: 'SolPrice',
    }),
    validate('query', solPriceQuerySchema),
    async (c) => c.json(await c.var.services.prices.solPrice()),
  )
  .get(
    '/tokens/:mint',
    route({
      limit: 'costly',
      session: 'optional',
      apiKey: 'read',
      tag: 'Prices',
      summary: 'Look up a token',
      response: 'TokenLookup',
      errors: ['tokens.not_found', 'tokens.too_many_lookups', 'prices.unavailable', 'prices.busy'],
    }),
    validate('param', z.object({ mint: addressSchema })),
    async (c) => {
      const { mint } = c.req.valid('param');
      return c.json(
        await c.var.services.prices.lookupToken({
          mint,
          viewerId: c.var.viewerId,
          network: networkOfVisitor(c),
        }),
      );
    },
  );
