import { zValidator } from '@hono/zod-validator';
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { userReference } from '../actions/action-schema.ts';
import { UserError } from '../bot-error.ts';
import { chatPage, identityPage, joinPage, missingPage, pickChatPage } from './chat-page.ts';
import { createPageActions } from './page-actions.ts';
import type { Telegram } from '../telegram.ts';
import type { Group, User } from '../telegram-state.ts';

const query = z.object({
  as: userReference.or(z.literal('')).default(''),
  chat: z.coerce.number().optional(),
  start: z.string().optional(),
  startgroup: z.string().optional(),
  startchannel: z.string().optional(),
  admin: z.string().optional(),
  problem: z.string().default(''),
});
type PageQuery = z.infer<typeof query>;

/** Routes of the page. Links of t.me work with this address instead of `https://t.me`. */
export function createChatRoutes({ telegram }: { telegram: Telegram }): Hono {
  const { store } = telegram;
  const { bot } = store;

  function showChat(c: Context, { user, group, asked }: ShownChat): Response | Promise<Response> {
    const { start: payload = '', problem } = asked;
    const answer = telegram.queries.lastAnswer(group?.id ?? user.id, user.id)?.text ?? '';
    const shown = problem === '' ? answer : problem;
    return c.html(chatPage({ store, user, group, payload, problem: shown }));
  }

  function showInvitation(c: Context, asked: PageQuery): Response | Promise<Response> {
    const { group, link } = telegram.invitations.findByLink(c.req.path);
    if (asked.as === '') return showIdentity(c, group.title);
    const user = store.openUser(asked.as);
    if (store.isInside(group, user.id) || asked.problem !== '') return showChat(c, { user, group, asked });
    return c.html(joinPage({ store, user, group, link }));
  }

  /** Asks who the visitor is, and keeps the rest of the address. */
  function showIdentity(c: Context, title: string): Response | Promise<Response> {
    return c.html(identityPage({ title, pathname: c.req.path, query: c.req.query() }));
  }

  function showBot(c: Context, asked: PageQuery): Response | Promise<Response> {
    if (asked.as === '') return showIdentity(c, bot.first_name);
    const user = store.openUser(asked.as);
    const { startgroup, startchannel, admin = '' } = asked;
    const rights = admin.replaceAll('+', ' ');
    if (startchannel !== undefined) {
      return c.html(pickChatPage({ store, user, type: 'channel', payload: '', rights }));
    }
    if (startgroup !== undefined) {
      return c.html(pickChatPage({ store, user, type: 'group', payload: startgroup, rights }));
    }
    const group = asked.chat === undefined ? undefined : store.findGroup(asked.chat);
    return showChat(c, { user, group, asked });
  }

  return new Hono()
    .onError((error, c) => {
      if (error instanceof UserError) return c.html(missingPage(error.message), 404);
      throw error;
    })
    .route('/_chat', createPageActions({ telegram }))
    .get('/c/:number/:message', (c) => c.redirect(`/telegram?chat=-100${c.req.param('number')}`))
    .get('/:name?', zValidator('query', query), (c) => {
      const name = c.req.param('name') ?? bot.username;
      const asked = c.req.valid('query');
      if (name.startsWith('+')) return showInvitation(c, asked);
      if (name.toLowerCase() === bot.username.toLowerCase()) return showBot(c, asked);
      const group = store.findPublic(name);
      if (group === undefined) return c.notFound();
      if (asked.as === '') return showIdentity(c, group.title);
      return showChat(c, { user: store.openUser(asked.as), group, asked });
    });
}

interface ShownChat {
  user: User;
  group: Group | undefined;
  asked: PageQuery;
}
