import { Hono } from 'hono';
import { paperFollowSchema } from '#schema/contracts/paper-follows.ts';
import type { AppEnv } from '../../../app/context.ts';
import { signedInRoutes } from '../../../app/route.ts';
import { validate } from '../../../app/validate.ts';

const { read, write } = signedInRoutes('Subscriptions');

export const paperFollowsRoutes = new Hono<AppEnv>()
  .get(
    '/paper-follows',
    read({ summary: 'The callers whom the user follows on paper', response: 'PaperFollow[]' }),
    async (c) => c.json(await c.var.services.paperFollows.list(c.var.userId)),
  )
  .put(
    '/paper-follows/:callerId',
    write({
      summary: 'Follow a caller on paper',
      response: 'PaperFollow[]',
      errors: ['callers.not_found', 'paper_follows.too_many'],
    }),
    validate('json', paperFollowSchema),
    async (c) => {
      const pair = { userId: c.var.userId, callerId: c.req.param('callerId') };
      return c.json(await c.var.services.paperFollows.follow({ ...pair, ...c.req.valid('json') }));
    },
  )
  .delete(
    '/paper-follows/:callerId',
    write({ summary: 'Stop following a caller on paper', response: 'PaperFollow[]' }),
    async (c) => {
      const pair = { userId: c.var.userId, callerId: c.req.param('callerId') };
      return c.json(await c.var.services.paperFollows.unfollow(pair));
    },
  );
