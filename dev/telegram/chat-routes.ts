import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { z } from 'zod';
import { withBody } from '../controls/with-body.ts';
import { refuseOtherOrigins } from '../controls/same-origin.ts';
import { chatPage } from './chat-page.ts';
import type { Chats } from './chats.ts';

const clientScript = new URL('./chat-client.js', import.meta.url);

const handle = z
  .string()
  .regex(/^@?[A-Za-z0-9_]{3,32}$/, 'a Telegram username has 3 to 32 letters, digits and underscores');
const startBody = z.strictObject({ handle, payload: z.string().max(64) });
const writeBody = z.strictObject({ handle, text: z.string().min(1).max(4096) });
const blockBody = z.strictObject({ handle, isBlocked: z.boolean() });

/** Routes of the chat page. The deep link `/telegram/<bot>?start=` opens it, too. */
export function createChatRoutes({ chats }: { chats: Chats }): Hono {
  const actions = new Hono()
    .use(refuseOtherOrigins())
    .get('/chat-client.js', (c) =>
      c.body(readFileSync(clientScript, 'utf8'), 200, { 'content-type': 'text/javascript' }),
    )
    .get('/chat', (c) => {
      const chat = chats.findByHandle(c.req.query('handle') ?? '');
      return c.json({ chat: chat ?? null, messages: chat === undefined ? [] : chats.messages(chat.id) });
    })
    .post('/start', (c) => withBody(c, startBody, async (body) => c.json(await chats.pressStart(body))))
    .post('/write', (c) => withBody(c, writeBody, async (body) => c.json(await chats.write(body))))
    .post('/block', (c) => withBody(c, blockBody, async (body) => c.json(await chats.setBlocked(body))));

  const showPage = (query: Record<string, string>) =>
    chatPage({
      bot: chats.bot,
      payload: query['start'] ?? '',
      handle: query['as'] ?? '',
    });
  return new Hono()
    .route('/_chat', actions)
    .get('/', (c) => c.html(showPage(c.req.query())))
    .get('/:bot', (c) =>
      c.req.param('bot').toLowerCase() === chats.bot.username.toLowerCase()
        ? c.html(showPage(c.req.query()))
        : c.notFound(),
    );
}
