import { Hono } from 'hono';
import { pageQuerySchema } from '#schema/contracts/shared.ts';
import type { AppEnv } from '../../../app/context.ts';
import { respondWithRows } from '../../../app/pages.ts';
import { signedInRoutes } from '../../../app/route.ts';
import { validate } from '../../../app/validate.ts';

const CHAT_OTHERS_PAGE_SIZE = 20;

const { read } = signedInRoutes('Notifications');

export const chatAccessRoutes = new Hono<AppEnv>()
  .get(
    '/callers/:callerId/telegram-chats',
    read({
      summary: 'The links to a caller’s chats on Telegram, for people with access',
      response: 'JoinLink[]',
      errors: ['callers.not_found'],
    }),
    async (c) => {
      const query = { callerId: c.req.param('callerId'), userId: c.var.userId };
      return c.json(await c.var.services.accessLists.listJoinLinks(query));
    },
  )
  .get(
    '/user/telegram-chats/:id/others',
    read({
      summary: 'People in the caller’s chat on Telegram who came without the bot and have no access',
      response: 'ChatOther[]',
      isPaged: true,
    }),
    validate('query', pageQuerySchema),
    async (c) => {
      const { cursor, limit = CHAT_OTHERS_PAGE_SIZE } = c.req.valid('query');
      const query = { chatId: c.req.param('id'), callerId: c.var.userId, cursor, limit };
      return respondWithRows(c, await c.var.services.accessLists.listOthers(query));
    },
  );
