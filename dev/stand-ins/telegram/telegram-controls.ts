import { Hono } from 'hono';
import { z } from 'zod';
import { withBody } from '../controls/with-body.ts';
import { actionSchema, newChatSchema, userReference } from './actions/action-schema.ts';
import { UserError } from './bot-error.ts';
import type { Telegram } from './telegram.ts';

const handle = z.string().trim().min(1);
const startBody = z.strictObject({ handle, payload: z.string().default('') });
const blockBody = z.strictObject({ handle, isBlocked: z.boolean() });
const userBody = z.strictObject({
  firstName: z.string().min(1).max(64),
  username: userReference.nullable().default(null),
});
const botBody = z.strictObject({
  canJoinGroups: z.boolean().optional(),
  hasPrivacyMode: z.boolean().optional(),
});
const limitsBody = z.strictObject({ isEnforced: z.boolean() });

/** Controls of the local Telegram, under `/_control`. */
export function createTelegramControls({ telegram }: { telegram: Telegram }): Hono {
  const { store } = telegram;
  return new Hono()
    .onError((error, c) => {
      if (error instanceof UserError) return c.json({ error: error.message }, 400);
      throw error;
    })
    .get('/messages', (c) => {
      const chatId = c.req.query('chatId');
      return c.json(store.listMessages(chatId === undefined ? undefined : Number(chatId)));
    })
    .post('/telegram/start', (c) =>
      withBody(c, startBody, async (body) => c.json(await telegram.pressStart(body))),
    )
    .post('/telegram/block', (c) =>
      withBody(c, blockBody, async (body) => c.json(await telegram.setBlocked(body))),
    )
    .post('/telegram/users', (c) => withBody(c, userBody, (body) => c.json(store.addUser(body))))
    .post('/telegram/chats', (c) => withBody(c, newChatSchema, (body) => c.json(telegram.createChat(body))))
    .get('/telegram/chats', (c) => c.json(store.state.groups))
    .get('/telegram/chats/:id', (c) => {
      const group = store.findGroup(Number(c.req.param('id')));
      return group === undefined ? c.json({ error: 'No such chat.' }, 404) : c.json(group);
    })
    .get('/telegram/answers', (c) => c.json(store.state.callbackQueries))
    .post('/telegram/act', (c) =>
      withBody(c, actionSchema, async (body) => c.json(await telegram.act(body, c.req.url))),
    )
    .post('/telegram/bot', (c) =>
      withBody(c, botBody, (body) => {
        const settings = Object.assign(store.state.botSettings, body);
        store.saveSoon();
        return c.json(settings);
      }),
    )
    .post('/telegram/limits', (c) =>
      withBody(c, limitsBody, ({ isEnforced }) => {
        telegram.limits.setEnforced(isEnforced);
        return c.json({ ok: true });
      }),
    );
}
