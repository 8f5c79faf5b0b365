import { Hono } from 'hono';
import { becomeCallerSchema, callerProfileSchema, profileSchema } from '#schema/contracts/users.ts';
import type { AppEnv } from '../../../app/context.ts';
import { signedInRoutes } from '../../../app/route.ts';
import { CHAIN_ERRORS, PAYOUT_CHANGE_ERRORS, TERMS_ERRORS } from '../../../app/route-facts.ts';
import { validate } from '../../../app/validate.ts';

const { write } = signedInRoutes('Account');

export const usersRoutes = new Hono<AppEnv>()
  .post(
    '/user/become-caller',
    write({
      summary: 'Become a caller',
      status: 201,
      response: 'CurrentUser',
      errors: [
        ...CHAIN_ERRORS,
        ...TERMS_ERRORS,
        'users.already_caller',
        'users.fee_invalid',
        'users.fee_below_minimum',
      ],
    }),
    validate('json', becomeCallerSchema),
    async (c) =>
      c.json(await c.var.services.users.becomeCaller({ userId: c.var.userId, ...c.req.valid('json') }), 201),
  )
  .patch(
    '/user/caller-profile',
    write({
      summary: 'Change a caller’s fee, whether 7 days are on sale, or the payout wallet',
      response: 'CurrentUser',
      errors: [
        ...CHAIN_ERRORS,
        ...PAYOUT_CHANGE_ERRORS,
        'users.not_a_caller',
        'users.fee_invalid',
        'users.fee_below_minimum',
        'payments.amount_under_rent',
      ],
    }),
    validate('json', callerProfileSchema),
    async (c) => {
      const { userId, signedInAt } = c.var;
      const change = { userId, signedInAt, ...c.req.valid('json') };
      return c.json(await c.var.services.users.updateCallerProfile(change));
    },
  )
  .patch(
    '/user/profile',
    write({ summary: 'Change the bio', response: 'CurrentUser' }),
    validate('json', profileSchema),
    async (c) =>
      c.json(await c.var.services.users.updateBio({ userId: c.var.userId, ...c.req.valid('json') })),
  );
