import { Hono } from 'hono';
import { pushDeviceSchema } from '#schema/contracts/push.ts';
import type { AppEnv } from '../../../app/context.ts';
import { signedInRoutes } from '../../../app/route.ts';
import { validate } from '../../../app/validate.ts';

const { read, write } = signedInRoutes('Notifications');

export const pushRoutes = new Hono<AppEnv>()
  .get(
    '/user/push',
    read({ summary: 'Whether this browser gets notifications', response: 'PushSettings' }),
    async (c) => c.json(await c.var.services.push.read(c.var)),
  )
  .put(
    '/user/push',
    write({
      summary: 'Send notifications to this browser',
      response: 'PushSettings',
      errors: ['push.service_unknown', 'push.address_taken'],
    }),
    validate('json', pushDeviceSchema),
    async (c) => c.json(await c.var.services.push.save(c.var, c.req.valid('json'))),
  )
  .delete(
    '/user/push',
    write({ summary: 'Send no more notifications to this browser', response: 'PushSettings' }),
    async (c) => c.json(await c.var.services.push.remove(c.var)),
  );
