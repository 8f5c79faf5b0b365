import { Hono } from 'hono';
import type { AppEnv } from '../../../app/context.ts';
import { requireUser } from '../../../app/session.ts';

export const sessionsRoutes = new Hono<AppEnv>()
  .get('/user/sessions', requireUser, async (c) => {
    const { userId, sessionId: currentId } = c.var;
    return c.json(await c.var.services.sessions.list({ userId, currentId }));
  })
  .delete('/user/sessions', requireUser, async (c) => {
    const { userId, sessionId: currentId } = c.var;
    await c.var.services.sessions.endOthers({ userId, currentId });
    return c.json({ ended: true });
  })
  .delete('/user/sessions/:id', requireUser, async (c) => {
    await c.var.services.sessions.end({ userId: c.var.userId, id: c.req.param('id') });
    return c.json({ ended: true });
  });
