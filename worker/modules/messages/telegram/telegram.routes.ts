import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { z } from 'zod';
import { MAX_TELEGRAM_UPDATE_BYTES } from '#schema/constants.ts';
import { connectTelegramSchema, telegramUpdateSchema } from '#schema/contracts/notifications.ts';
import type { AppEnv } from '../../../app/context.ts';
import { route, signedInRoutes } from '../../../app/route.ts';
import { takeTelegramUpdate } from '../../../app/limit-requests.ts';
import { TELEGRAM_SECRET_HEADER } from '../../../app/telegram-secret.ts';
import { validate } from '../../../app/validate.ts';

const requireTelegram = createMiddleware<AppEnv>(async (c, next) => {
  await c.var.services.telegramLinks.assertFromTelegram(c.req.header(TELEGRAM_SECRET_HEADER));
  await next();
});

const withChat = z.object({ chat: z.object({ id: z.int() }) }).optional();
const chatUpdateSchema = z.object({ message: withChat, my_chat_member: withChat });

/** Returns the update's chat id; null if the update can't be parsed. */
function chatOf(update: object): number | null {
  const { message, my_chat_member: membership } = chatUpdateSchema.safeParse(update).data ?? {};
  return (message ?? membership)?.chat.id ?? null;
}

const { write } = signedInRoutes('Notifications');

export const telegramRoutes = new Hono<AppEnv>()
  .post(
    '/user/telegram-connect',
    write({
      summary: 'Get a link that connects Telegram',
      response: 'ConnectTelegramResponse',
      errors: ['telegram.handle_invalid'],
    }),
    validate('json', connectTelegramSchema),
    async (c) =>
      c.json(await c.var.services.telegramLinks.connect({ userId: c.var.userId, ...c.req.valid('json') })),
  )
  .delete(
    '/user/telegram-disconnect',
    write({
      summary: 'Disconnect Telegram',
      response: {
        type: 'object',
        properties: { message: { type: 'string' } },
        required: ['message'],
        additionalProperties: false,
      },
    }),
    async (c) => {
      await c.var.services.telegramLinks.disconnect(c.var.userId);
      return c.json({ message: 'Telegram Disconnected' });
    },
  )
  .post(
    '/telegram/webhook',
    route({
      limit: 'reads',
      tag: 'Notifications',
      summary: 'Receive an update from Telegram, with its secret in a header',
      maxBodyBytes: MAX_TELEGRAM_UPDATE_BYTES,
      response: { type: ['object', 'null'], description: 'Empty, or a method of the Bot API.' },
      errors: ['telegram.secret_invalid'],
    }),
    requireTelegram,
    validate('json', telegramUpdateSchema),
    async (c) => {
      const update = c.req.valid('json');
      const chatId = chatOf(update);
      // Telegram would repeat a refused update, so a chat that sends too many gets no response.
      const isAllowed = chatId === null || (await takeTelegramUpdate(c, chatId));
      const response = isAllowed ? await c.var.services.telegramLinks.receive(update) : null;
      return new Response(response, { headers: { 'Content-Type': 'application/json' } });
    },
  );
