import { Hono } from 'hono';
import { walletTransactionsQuerySchema } from '#schema/contracts/wallets.ts';
import type { AppEnv } from '../../../app/context.ts';
import { signedInRoutes } from '../../../app/route.ts';
import { CHAIN_ERRORS } from '../../../app/route-facts.ts';
import { validate } from '../../../app/validate.ts';

const { costly } = signedInRoutes('Wallets');

export const holdingsRoutes = new Hono<AppEnv>()
  .get(
    '/wallet/transactions',
    costly({
      summary: 'Tokens that the user’s wallets bought',
      response: 'ListedTransaction[]',
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
    costly({ summary: 'Balances of the user’s wallets', response: 'WalletBalance[]', errors: CHAIN_ERRORS }),
    async (c) => c.json(await c.var.services.holdings.listBalances(c.var.userId)),
  );
