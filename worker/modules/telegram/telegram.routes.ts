import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { connectTelegramSchema, telegramUpdateSchema } from '#schema/contracts/notifications.ts';
import type { AppEnv } from '../../app/context.ts';
import { requireUser } from '../../app/session.ts';
import { validate } from '../../app/validate.ts';

const requireTelegram = createMiddleware<AppEnv>(async (c, next) => {
  await c.var.services.telegramLinks.assertFromTelegram(c.req.header('X-Telegram-Bot-Api-Secret-Token'));
  await next();
});

export const telegramRoutes = new Hono<AppEnv>()
  .post('/user/telegram-connect', requireUser, validate('json', connectTelegramSchema), async (c) =>
    c.json(await c.var.services.telegramLinks.connect({ userId: c.var.userId, ...c.req.valid('json') })),
  )
  .delete('/user/telegram-disconnect', requireUser, async (c) => {
    await c.var.services.telegramLinks.disconnect(c.var.userId);
    return c.json({ message: 'Telegram Disconnected' });
  })
  .post('/telegram/webhook', requireTelegram, validate('json', telegramUpdateSchema), async (c) => {
    const answer = await c.var.services.telegramLinks.receive(c.req.valid('json'));
    return new Response(answer, { headers: { 'Content-Type': 'application/json' } });
  });
