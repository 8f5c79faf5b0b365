import { Hono } from 'hono';
import { pageQuerySchema } from '#schema/contracts/shared.ts';
import { telegramChatChangeSchema } from '#schema/contracts/telegram-chats.ts';
import type { AppEnv } from '../../../app/context.ts';
import { respondWithRows } from '../../../app/pages.ts';
import { signedInRoutes } from '../../../app/route.ts';
import { validate } from '../../../app/validate.ts';

const CHAT_OTHERS_PAGE_SIZE = 20;

const { read, write } = signedInRoutes('Notifications');

export const chatsRoutes = new Hono<AppEnv>()
  .get(
    '/user/telegram-chats',
    read({ summary: 'The caller’s channels and groups on Telegram', response: 'TelegramChats' }),
    async (c) => c.json(await c.var.services.telegramChats.read(c.var.userId)),
  )
  .patch(
    '/user/telegram-chats/:id',
    write({
      summary: 'Change a channel’s or group’s settings',
      response: 'TelegramChats',
      errors: ['telegram.chat_not_found'],
    }),
    validate('json', telegramChatChangeSchema),
    async (c) => {
      const own = { userId: c.var.userId, chatId: c.req.param('id') };
      return c.json(await c.var.services.telegramChats.change({ ...own, ...c.req.valid('json') }));
    },
  )
  .delete(
    '/user/telegram-chats/:id',
    write({
      summary: 'Post no more calls in a channel or group',
      response: 'TelegramChats',
      errors: ['telegram.chat_not_found'],
    }),
    async (c) => {
      const own = { userId: c.var.userId, chatId: c.req.param('id') };
      return c.json(await c.var.services.telegramChats.disconnect(own));
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
      const query = { userId: c.var.userId, chatId: c.req.param('id'), cursor, limit };
      return respondWithRows(c, await c.var.services.telegramChats.listOthers(query));
    },
  )
  .get(
    '/callers/:callerId/telegram-chats',
    read({
      summary: 'The links to a caller’s chats on Telegram, for people with access',
      response: 'JoinLink[]',
      errors: ['callers.not_found'],
    }),
    async (c) => {
      const pair = { userId: c.var.userId, callerId: c.req.param('callerId') };
      return c.json(await c.var.services.telegramChats.listJoinLinks(pair));
    },
  );
