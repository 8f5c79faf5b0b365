import { Hono } from 'hono';
import { notificationSwitchSchema } from '#schema/contracts/notifications.ts';
import type { AppEnv } from '../../../app/context.ts';
import { signedInRoutes } from '../../../app/route.ts';
import { validate } from '../../../app/validate.ts';

const { read, write } = signedInRoutes('Notifications');

export const notificationSettingsRoutes = new Hono<AppEnv>()
  .get(
    '/user/notifications',
    read({ summary: 'The user’s settings', response: 'NotificationSettings' }),
    async (c) => c.json(await c.var.services.notificationSettings.read(c.var.userId)),
  )
  .patch(
    '/user/notifications',
    write({ summary: 'Turn a kind of message on or off', response: 'NotificationSettings' }),
    validate('json', notificationSwitchSchema),
    async (c) => {
      const change = { userId: c.var.userId, ...c.req.valid('json') };
      return c.json(await c.var.services.notificationSettings.change(change));
    },
  )
  .put(
    '/user/notifications/mutes/:callerId',
    write({
      summary: 'Mute a caller',
      response: 'NotificationSettings',
      errors: ['callers.not_found', 'notifications.mute_self', 'notifications.too_many_mutes'],
    }),
    async (c) => {
      const pair = { userId: c.var.userId, callerId: c.req.param('callerId') };
      return c.json(await c.var.services.notificationSettings.mute(pair));
    },
  )
  .delete(
    '/user/notifications/mutes/:callerId',
    write({ summary: 'Unmute a caller', response: 'NotificationSettings', errors: ['callers.not_found'] }),
    async (c) => {
      const pair = { userId: c.var.userId, callerId: c.req.param('callerId') };
      return c.json(await c.var.services.notificationSettings.unmute(pair));
    },
  );
