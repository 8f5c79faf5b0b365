import { Hono } from 'hono';
import { freeSubscriptionSchema, paidSubscriptionSchema } from '#schema/contracts/subscriptions.ts';
import { pageQuerySchema } from '#schema/contracts/shared.ts';
import type { AppEnv } from '../../../app/context.ts';
import { linkNextPage } from '../../../app/pages.ts';
import { requireUser } from '../../../app/session.ts';
import { validate } from '../../../app/validate.ts';
import { answerVersioned } from '../../../app/versioned.ts';

export const subscriptionsRoutes = new Hono<AppEnv>()
  .post('/subscriptions/free', requireUser, validate('json', freeSubscriptionSchema), async (c) =>
    c.json(
      await c.var.services.subscriptions.subscribeFree({
        userId: c.var.userId,
        callerId: c.req.valid('json').callerId,
      }),
      201,
    ),
  )
  .delete('/subscriptions/free/:callerId', requireUser, async (c) => {
    const { userId } = c.var;
    await c.var.services.subscriptions.unfollow({ userId, callerId: c.req.param('callerId') });
    return c.json({ removed: true });
  })
  .post('/subscriptions', requireUser, validate('json', paidSubscriptionSchema), async (c) =>
    c.json(await c.var.services.payments.claim(c.var.userId, c.req.valid('json')), 201),
  )
  .get('/subscriptions/my', requireUser, async (c) =>
    c.json(await c.var.services.subscriptions.listMine(c.var.userId)),
  )
  .get('/subscriptions/calls', requireUser, async (c) =>
    answerVersioned(c, await c.var.services.subscriptions.listFollowedCalls(c.var.userId)),
  )
  .get('/subscriptions/caller/:id', requireUser, validate('query', pageQuerySchema), async (c) => {
    const { cursor, limit } = c.req.valid('query');
    const { rows, nextCursor } = await c.var.services.subscriptions.listOfCaller({
      callerId: c.req.param('id'),
      viewerId: c.var.userId,
      cursor,
      limit,
    });
    linkNextPage(c, nextCursor);
    return c.json(rows);
  });
