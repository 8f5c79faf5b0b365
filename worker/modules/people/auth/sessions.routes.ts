import { Hono } from 'hono';
import type { AppEnv } from '../../../app/context.ts';
import { signedInRoutes } from '../../../app/route.ts';
import { exactly } from '../../../app/route-facts.ts';

const { read, write } = signedInRoutes('Account');

export const sessionsRoutes = new Hono<AppEnv>()
  .get(
    '/user/sessions',
    read({ summary: 'List the user’s sessions', response: 'UserSession[]' }),
    async (c) => {
      const { userId, sessionId: currentId } = c.var;
      return c.json(await c.var.services.sessions.list({ userId, currentId }));
    },
  )
  .delete(
    '/user/sessions',
    write({ summary: 'End all other sessions', response: exactly({ ended: true }) }),
    async (c) => {
      const { userId, sessionId: currentId } = c.var;
      await c.var.services.sessions.endOthers({ userId, currentId });
      return c.json({ ended: true });
    },
  )
  .delete(
    '/user/sessions/:id',
    write({ summary: 'End a session', response: exactly({ ended: true }), errors: ['sessions.not_found'] }),
    async (c) => {
      await c.var.services.sessions.end({ userId: c.var.userId, id: c.req.param('id') });
      return c.json({ ended: true });
    },
  );
