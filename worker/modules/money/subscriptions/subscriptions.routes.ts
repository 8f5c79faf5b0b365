import { Hono } from 'hono';
import { freeSubscriptionSchema, paidSubscriptionSchema } from '#schema/contracts/subscriptions.ts';
import { pageQuerySchema } from '#schema/contracts/shared.ts';
import type { AppEnv } from '../../../app/context.ts';
import { route, signedInRoutes } from '../../../app/route.ts';
import { CHAIN_ERRORS, MISMATCH_ERRORS, exactly } from '../../../app/route-facts.ts';
import { respondWithRows } from '../../../app/pages.ts';
import { callerIdOf } from '../../../app/caller-id.ts';
import { validate } from '../../../app/validate.ts';

const { read, write } = signedInRoutes('Subscriptions');

export const subscriptionsRoutes = new Hono<AppEnv>()
  .post(
    '/subscriptions/free',
    write({
      summary: 'Follow a Free caller',
      status: 201,
      response: 'MySubscription',
      errors: [
        'callers.not_found',
        'subscriptions.self',
        'subscriptions.caller_leaving',
        'subscriptions.caller_suspended',
        'subscriptions.not_free',
        'subscriptions.too_many',
      ],
    }),
    validate('json', freeSubscriptionSchema),
    async (c) =>
      c.json(
        await c.var.services.subscriptions.subscribeFree({
          userId: c.var.userId,
          callerId: c.req.valid('json').callerId,
        }),
        201,
      ),
  )
  .delete(
    '/subscriptions/free/:callerId',
    write({
      summary: 'Unfollow a Free caller',
      response: exactly({ removed: true }),
      errors: ['callers.not_found', 'subscriptions.not_found', 'subscriptions.paid_time_left'],
    }),
    async (c) => {
      const { userId } = c.var;
      await c.var.services.subscriptions.unfollow({ userId, callerId: c.req.param('callerId') });
      return c.json({ removed: true });
    },
  )
  .post(
    '/subscriptions',
    route({
      limit: 'reads',
      session: 'required',
      tag: 'Payments',
      summary: 'Claim the subscription of a landed payment; 202 if it isn’t visible yet',
      status: 201,
      response: 'Subscription',
      errors: [
        ...CHAIN_ERRORS,
        'payments.pending',
        'payments.unreadable',
        'payments.released',
        'payments.expired',
        'payments.intent_missing',
        'payments.failed_on_chain',
        ...MISMATCH_ERRORS,
        'payments.outside_time_window',
        'payments.amount_mismatch',
        'payments.not_yours',
        'payments.refunded',
      ],
    }),
    validate('json', paidSubscriptionSchema),
    async (c) => c.json(await c.var.services.payments.claim(c.var.userId, c.req.valid('json')), 201),
  )
  .get(
    '/subscriptions/my',
    read({ summary: 'The user’s subscriptions, one per caller', response: 'MySubscription[]' }),
    async (c) => c.json(await c.var.services.subscriptions.listMine(c.var.userId)),
  )
  .get(
    '/subscriptions/caller/:id',
    read({
      summary: 'Subscriptions to a caller: all for the caller, for others only their own',
      response: 'Subscription[]',
      isPaged: true,
      errors: ['callers.not_found'],
    }),
    validate('query', pageQuerySchema),
    async (c) => {
      const { cursor, limit } = c.req.valid('query');
      return respondWithRows(
        c,
        await c.var.services.subscriptions.listOfCaller({
          callerId: await callerIdOf(c),
          userId: c.var.userId,
          cursor,
          limit,
        }),
      );
    },
  );
