import { zValidator } from '@hono/zod-validator';
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { refuseOtherOrigins } from '../controls/same-origin.ts';
import { chatPage } from './chat-page.ts';
import type { Chats, PressResult } from './chats.ts';

const handle = z
  .string()
  .regex(/^@?[A-Za-z0-9_]{3,32}$/, 'a Telegram username has 3 to 32 letters, digits and underscores')
  .transform((text) => text.replace('@', ''));
const startForm = z.object({ handle, payload: z.string().max(64) });
const writeForm = z.object({ handle, text: z.string().min(1).max(4096) });
const blockForm = z.object({ handle });
const query = z.object({ start: z.string().default(''), as: handle.or(z.literal('')).default('') });

/** Routes of the chat page. The deep link `/telegram/<bot>?start=` opens it, too. */
export function createChatRoutes({ chats }: { chats: Chats }): Hono {
  /** Shows the chat after an action. */
  const showResult = (c: Context, as: string, { isDelivered, error }: PressResult) => {
    const problem = isDelivered
      ? {}
      : { problem: `SolCallers hasn't accepted this yet (${error}). Retrying…` };
    return c.redirect(`/telegram?${new URLSearchParams({ as, ...problem }).toString()}`, 303);
  };
  const actions = new Hono()
    .use(refuseOtherOrigins())
    .get('/chat', (c) => c.json({ chat: chats.findByHandle(c.req.query('handle') ?? '') ?? null }))
    .post('/start', zValidator('form', startForm), async (c) => {
      const form = c.req.valid('form');
      return showResult(c, form.handle, await chats.pressStart(form));
    })
    .post('/write', zValidator('form', writeForm), async (c) => {
      const form = c.req.valid('form');
      return showResult(c, form.handle, await chats.write(form));
    })
    .post('/block', zValidator('form', blockForm), async (c) => {
      const form = c.req.valid('form');
      return showResult(c, form.handle, await chats.setBlocked({ ...form, isBlocked: true }));
    });
  return new Hono().route('/_chat', actions).get('/:bot?', zValidator('query', query), (c) => {
    const bot = c.req.param('bot');
    if (bot !== undefined && bot.toLowerCase() !== chats.bot.username.toLowerCase()) return c.notFound();
    const { start: payload, as } = c.req.valid('query');
    const chat = chats.findByHandle(as);
    const messages = chat === undefined ? [] : chats.messages(chat.id);
    const problem = c.req.query('problem') ?? '';
    return c.html(chatPage({ bot: chats.bot, payload, handle: as, chat, messages, problem }));
  });
}
