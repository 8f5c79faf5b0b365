import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { MAX_TELEGRAM_UPDATE_BYTES } from '#schema/constants/messages.ts';
import {
  connectTelegramSchema,
  telegramCallsSchema,
  telegramUpdateSchema,
} from '#schema/contracts/notifications.ts';
import type { AppEnv } from '../../../app/context.ts';
import { AppError } from '../../../app/errors.ts';
import { route, signedInRoutes } from '../../../app/route.ts';
import { TELEGRAM_SECRET_HEADER } from '../../../app/telegram-secret.ts';
import { validate } from '../../../app/validate.ts';

const requireTelegram = createMiddleware<AppEnv>(async (c, next) => {
  const { telegramLinks } = c.var.services;
  const isFromTelegram = telegramLinks.isFromTelegram(c.req.header(TELEGRAM_SECRET_HEADER));
  if (!isFromTelegram) throw new AppError({ code: 'telegram.secret_invalid' });
  await next();
});

const { write } = signedInRoutes('Notifications');

export const telegramRoutes = new Hono<AppEnv>()
  .post(
    '/user/telegram-connect',
    write({
      summary: 'Get a link that connects Telegram',
      response: 'ConnectTelegramResponse',
      errors: ['auth.fresh_sign_in_needed', 'telegram.handle_invalid'],
    }),
    validate('json', connectTelegramSchema),
    async (c) => {
      const { userId, sessionId, signedInAt } = c.var;
      const connecting = { userId, sessionId, signedInAt, ...c.req.valid('json') };
      return c.json(await c.var.services.telegramLinks.connect(connecting));
    },
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
  .patch(
    '/user/telegram-calls',
    write({
      summary: 'Switch calls from the chat with the bot on or off',
      response: 'TelegramCalls',
      errors: ['auth.fresh_sign_in_needed', 'users.not_a_caller', 'telegram.not_connected'],
    }),
    validate('json', telegramCallsSchema),
    async (c) => {
      const { userId, signedInAt } = c.var;
      const change = { userId, signedInAt, ...c.req.valid('json') };
      return c.json(await c.var.services.telegramLinks.switchCalls(change));
    },
  )
  .post(
    '/telegram/webhook',
    route({
      limit: 'reads',
      tag: 'Notifications',
      summary: 'Receive an update from Telegram, with its secret in a header',
      maxBodyBytes: MAX_TELEGRAM_UPDATE_BYTES,
      response: { type: 'null', description: 'Empty. The bot sends its reply itself.' },
      errors: ['telegram.secret_invalid'],
    }),
    requireTelegram,
    validate('json', telegramUpdateSchema),
    async (c) => {
      await c.var.services.handleTelegramUpdate(c.req.valid('json'));
      return c.body(null, 200, { 'Content-Type': 'application/json' });
    },
  );
