import { Hono } from 'hono';
import { sendUpdateSchema } from '#schema/contracts/notifications.ts';
import { pageQuerySchema } from '#schema/contracts/shared.ts';
import type { AppEnv } from '../../../app/context.ts';
import { linkNextPage } from '../../../app/pages.ts';
import { requireUser } from '../../../app/session.ts';
import { validate } from '../../../app/validate.ts';

/** Routes to send updates on calls, and to see how many followers got each event. */
export const callEventsRoutes = new Hono<AppEnv>()
  .post('/telegram/send-update', requireUser, validate('json', sendUpdateSchema), async (c) =>
    c.json(await c.var.services.callUpdates.send({ userId: c.var.userId, body: c.req.valid('json') })),
  )
  .get('/telegram/deliveries', requireUser, validate('query', pageQuerySchema), async (c) => {
    const query = { callerId: c.var.userId, ...c.req.valid('query') };
    const { rows, nextCursor } = await c.var.services.callEvents.listDeliveries(query);
    linkNextPage(c, nextCursor);
    return c.json(rows);
  });
