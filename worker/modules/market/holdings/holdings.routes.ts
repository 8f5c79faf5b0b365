import { Hono } from 'hono';
import { walletTransactionsQuerySchema } from '#schema/contracts/wallets.ts';
import type { AppEnv } from '../../../app/context.ts';
import { route } from '../../../app/route.ts';
import { CHAIN_ERRORS } from '../../../app/route-facts.ts';
import { validate } from '../../../app/validate.ts';

export const holdingsRoutes = new Hono<AppEnv>()
  .get(
    '/wallet/transactions',
    route({
      limit: 'costly',
      session: 'required',
      tag: 'Wallets',
      summary: 'Tokens that the user’s wallets bought',
      response: 'WalletTransaction[]',
      errors: CHAIN_ERRORS,
    }),
    validate('query', walletTransactionsQuerySchema),
    async (c) =>
      c.json(
        await c.var.services.holdings.listBuys({ userId: c.var.userId, limit: c.req.valid('query').limit }),
      ),
  )
  .get(
    '/wallet/balances',
    route({
      limit: 'costly',
      session: 'required',
      tag: 'Wallets',
      summary: 'Balances of the user’s wallets',
      response: 'WalletBalance[]',
      errors: CHAIN_ERRORS,
    }),
    async (c) => c.json(await c.var.services.holdings.listBalances(c.var.userId)),
  );
