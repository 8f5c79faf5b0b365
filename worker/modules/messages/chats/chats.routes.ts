import { Hono } from 'hono';
import { telegramChatChangeSchema } from '#schema/contracts/telegram-chats.ts';
import type { AppEnv } from '../../../app/context.ts';
import { signedInRoutes } from '../../../app/route.ts';
import { validate } from '../../../app/validate.ts';

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
  );
