import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import {
  connectTelegramSchema,
  sendUpdateSchema,
  telegramUpdateSchema,
} from '#schema/contracts/notifications.ts';
import { pageQuerySchema } from '#schema/contracts/shared.ts';
import type { AppEnv } from '../../app/context.ts';
import { linkNextPage } from '../../app/pages.ts';
import { requireUser } from '../../app/session.ts';
import { validate } from '../../app/validate.ts';

const requireTelegram = createMiddleware<AppEnv>(async (c, next) => {
  await c.var.services.telegramLinks.assertFromTelegram(c.req.header('X-Telegram-Bot-Api-Secret-Token'));
  await next();
});

/** Connecting Telegram, what Telegram tells us, and updates on calls. */
export const notificationsRoutes = new Hono<AppEnv>()
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
  })
  .post('/telegram/send-update', requireUser, validate('json', sendUpdateSchema), async (c) =>
    c.json(await c.var.services.callUpdates.send({ userId: c.var.userId, body: c.req.valid('json') })),
  )
  .get('/telegram/deliveries', requireUser, validate('query', pageQuerySchema), async (c) => {
    const { cursor, limit } = c.req.valid('query');
    const { rows, nextCursor } = await c.var.services.callEvents.listDeliveries({
      callerId: c.var.userId,
      cursor,
      limit,
    });
    linkNextPage(c, nextCursor);
    return c.json(rows);
  });
