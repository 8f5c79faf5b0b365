import { Hono } from 'hono';
import { saveWalletSchema, walletChallengeSchema } from '#schema/contracts/wallets.ts';
import type { AppEnv } from '../../../app/context.ts';
import { signedInRoutes } from '../../../app/route.ts';
import { exactly, PAYOUT_CHANGE_ERRORS } from '../../../app/route-facts.ts';
import { validate } from '../../../app/validate.ts';

const { read, write } = signedInRoutes('Wallets');

export const walletsRoutes = new Hono<AppEnv>()
  .post(
    '/user/wallets/challenge',
    write({ summary: 'Get a message to sign with a wallet', status: 201, response: 'WalletChallenge' }),
    validate('json', walletChallengeSchema),
    async (c) =>
      c.json(await c.var.services.wallets.challenge({ userId: c.var.userId, ...c.req.valid('json') }), 201),
  )
  .post(
    '/user/wallets',
    write({
      summary: 'Save a wallet, verified if the message is signed',
      status: 201,
      response: 'SavedWallet',
      errors: [
        ...PAYOUT_CHANGE_ERRORS,
        'wallets.already_added',
        'wallets.too_many',
        'wallets.challenge_invalid',
        'wallets.signature_invalid',
      ],
    }),
    validate('json', saveWalletSchema),
    async (c) => {
      const { userId, signedInAt } = c.var;
      return c.json(await c.var.services.wallets.save({ userId, signedInAt, ...c.req.valid('json') }), 201);
    },
  )
  .get('/user/wallets', read({ summary: 'The user’s wallets', response: 'SavedWallet[]' }), async (c) =>
    c.json(await c.var.services.wallets.list(c.var.userId)),
  )
  .get(
    '/user/payout-changes',
    read({ summary: 'Changes of the caller’s payout wallet', response: 'PayoutChange[]' }),
    async (c) => c.json(await c.var.services.wallets.listPayoutChanges(c.var.userId)),
  )
  .delete(
    '/user/wallets/:id',
    write({
      summary: 'Remove a wallet',
      response: exactly({ removed: true }),
      errors: ['wallets.not_found', 'wallets.payout_changed', 'auth.fresh_sign_in_needed'],
    }),
    async (c) => {
      const { userId, signedInAt } = c.var;
      await c.var.services.wallets.remove({ userId, signedInAt, id: c.req.param('id') });
      return c.json({ removed: true });
    },
  );
