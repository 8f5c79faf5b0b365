import { Hono } from 'hono';
import { walletTransactionsQuerySchema } from '#schema/contracts/wallets.ts';
import type { AppEnv } from '../../../app/context.ts';
import { requireUser } from '../../../app/session.ts';
import { validate } from '../../../app/validate.ts';

export const holdingsRoutes = new Hono<AppEnv>()
  .get('/wallet/transactions', requireUser, validate('query', walletTransactionsQuerySchema), async (c) =>
    c.json(
      await c.var.services.holdings.listBuys({ userId: c.var.userId, limit: c.req.valid('query').limit }),
    ),
  )
  .get('/wallet/balances', requireUser, async (c) =>
    c.json(await c.var.services.holdings.listBalances(c.var.userId)),
  );
