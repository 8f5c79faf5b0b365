import { Hono } from 'hono';
import { endOtherWaysSchema, endWaySchema } from '#schema/contracts/ways.ts';
import type { AppEnv } from '../../../app/context.ts';
import { signedInRoutes } from '../../../app/route.ts';
import { writeSessionCookies } from '../../../app/session.ts';
import { validate } from '../../../app/validate.ts';

const { read, write } = signedInRoutes('Account');

export const waysRoutes = new Hono<AppEnv>()
  .get(
    '/user/ways',
    read({
      summary:
        'List the ways into the account: sessions, keys, the webhook, Telegram, its groups and channels, and X',
      response: 'Way[]',
    }),
    async (c) => {
      const { userId, sessionId: currentId } = c.var;
      return c.json(await c.var.services.ways.list({ userId, currentId }));
    },
  )
  .post(
    '/user/ways/end-others',
    write({
      summary: 'End all ways into the account but this session, which gets a new cookie',
      response: 'EndedWays',
    }),
    validate('json', endOtherWaysSchema),
    async (c) => {
      const { userId, sessionId: currentId } = c.var;
      const { keep } = c.req.valid('json');
      const { ways, cookies } = c.var.services;
      const { sessionToken, ended } = await ways.endOthers({ userId, currentId, keep });
      writeSessionCookies(c, { cookies }, sessionToken);
      return c.json(ended);
    },
  )
  .delete(
    '/user/ways/:id',
    write({
      summary: 'End a way into the account, such as a session',
      response: 'EndedWays',
      query: { withMade: '`true` also ends the ways that the session has made.' },
      errors: ['ways.not_found'],
    }),
    validate('query', endWaySchema),
    async (c) => {
      const { withMade } = c.req.valid('query');
      const ended = { userId: c.var.userId, id: c.req.param('id'), withMade };
      return c.json(await c.var.services.ways.end(ended));
    },
  );
