import { Hono } from 'hono';
import { saveWalletSchema, walletChallengeSchema } from '#schema/contracts/wallets.ts';
import type { AppEnv } from '../../../app/context.ts';
import { requireUser } from '../../../app/session.ts';
import { validate } from '../../../app/validate.ts';

export const walletsRoutes = new Hono<AppEnv>()
  .post('/user/wallets/challenge', requireUser, validate('json', walletChallengeSchema), async (c) =>
    c.json(await c.var.services.wallets.challenge({ userId: c.var.userId, ...c.req.valid('json') }), 201),
  )
  .post('/user/wallets', requireUser, validate('json', saveWalletSchema), async (c) => {
    const { userId, signedInAt } = c.var;
    return c.json(await c.var.services.wallets.save({ userId, signedInAt, ...c.req.valid('json') }), 201);
  })
  .get('/user/wallets', requireUser, async (c) => c.json(await c.var.services.wallets.list(c.var.userId)))
  .get('/user/payout-changes', requireUser, async (c) =>
    c.json(await c.var.services.wallets.listPayoutChanges(c.var.userId)),
  )
  .delete('/user/wallets/:id', requireUser, async (c) => {
    const { userId, signedInAt } = c.var;
    await c.var.services.wallets.remove({ userId, signedInAt, id: c.req.param('id') });
    return c.json({ removed: true });
  });
