import { Hono } from 'hono';
import { sendUpdateSchema } from '#schema/contracts/notifications.ts';
import { pageQuerySchema } from '#schema/contracts/shared.ts';
import type { AppEnv } from '../../../app/context.ts';
import { signedInRoutes } from '../../../app/route.ts';
import { respondWithRows } from '../../../app/pages.ts';
import { validate } from '../../../app/validate.ts';

const { read, write } = signedInRoutes('Notifications');

export const callEventsRoutes = new Hono<AppEnv>()
  .post(
    '/telegram/send-update',
    write({
      apiKey: 'call',
      summary: 'Send an update on a call to its followers',
      response: 'SendUpdateResponse',
      errors: [
        'calls.not_found',
        'calls.not_yours',
        'calls.already_ended',
        'updates.message_invalid',
        'updates.too_many',
        'updates.call_full',
      ],
    }),
    validate('json', sendUpdateSchema),
    async (c) =>
      c.json(await c.var.services.callUpdates.send({ userId: c.var.userId, body: c.req.valid('json') })),
  )
  .get(
    '/telegram/deliveries',
    read({
      summary: 'How many followers got each event of the caller',
      response: 'DeliveryLogEntry[]',
      isPaged: true,
      errors: ['users.not_a_caller'],
    }),
    validate('query', pageQuerySchema),
    async (c) => {
      const query = { callerId: c.var.userId, ...c.req.valid('query') };
      return respondWithRows(c, await c.var.services.callEvents.listDeliveries(query));
    },
  );
