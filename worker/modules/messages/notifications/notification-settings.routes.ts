import { Hono } from 'hono';
import { notificationSwitchSchema } from '#schema/contracts/notifications.ts';
import type { AppEnv } from '../../../app/context.ts';
import { requireUser } from '../../../app/session.ts';
import { validate } from '../../../app/validate.ts';

/** Every change responds with the new settings. */
export const notificationSettingsRoutes = new Hono<AppEnv>()
  .get('/user/notifications', requireUser, async (c) =>
    c.json(await c.var.services.notificationSettings.read(c.var.userId)),
  )
  .patch('/user/notifications', requireUser, validate('json', notificationSwitchSchema), async (c) => {
    const change = { userId: c.var.userId, ...c.req.valid('json') };
    return c.json(await c.var.services.notificationSettings.change(change));
  })
  .put('/user/notifications/mutes/:callerId', requireUser, async (c) => {
    const pair = { userId: c.var.userId, callerId: c.req.param('callerId') };
    return c.json(await c.var.services.notificationSettings.mute(pair));
  })
  .delete('/user/notifications/mutes/:callerId', requireUser, async (c) => {
    const pair = { userId: c.var.userId, callerId: c.req.param('callerId') };
    return c.json(await c.var.services.notificationSettings.unmute(pair));
  });
