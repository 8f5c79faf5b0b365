import { Hono } from 'hono';
import { pushDeviceSchema } from '#schema/contracts/push.ts';
import type { AppEnv } from '../../../app/context.ts';
import { requireUser } from '../../../app/session.ts';
import { validate } from '../../../app/validate.ts';

/** Notifications of this session's browser. Every change responds with the new settings. */
export const pushRoutes = new Hono<AppEnv>()
  .get('/user/push', requireUser, async (c) => c.json(await c.var.services.push.read(c.var)))
  .put('/user/push', requireUser, validate('json', pushDeviceSchema), async (c) =>
    c.json(await c.var.services.push.save(c.var, c.req.valid('json'))),
  )
  .delete('/user/push', requireUser, async (c) => c.json(await c.var.services.push.remove(c.var)));
