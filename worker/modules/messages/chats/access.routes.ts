import { Hono } from 'hono';
import { CHAT_OTHERS_PAGE_SIZE } from '#schema/constants.ts';
import { pageQuerySchema } from '#schema/contracts/shared.ts';
import { acceptInvitationSchema } from '#schema/contracts/telegram-access.ts';
import type { AppEnv } from '../../../app/context.ts';
import { respondWithRows } from '../../../app/pages.ts';
import { signedInRoutes } from '../../../app/route.ts';
import { validate } from '../../../app/validate.ts';

const { read, write } = signedInRoutes('Notifications');
const INVITATION_ERRORS = ['telegram.join_link_dead', 'telegram.other_account'] as const;

/** Routes for people who join callers' chats on Telegram. */
export const chatAccessRoutes = new Hono<AppEnv>()
  .get(
    '/telegram/join/:token',
    read({
      summary: 'What the link in the bot’s message to a person who asks to join a chat is for',
      response: 'ChatInvitation',
      errors: INVITATION_ERRORS,
    }),
    async (c) => {
      const invitee = { token: c.req.param('token'), userId: c.var.userId };
      return c.json(await c.var.services.invitations.find(invitee));
    },
  )
  .post(
    '/telegram/join',
    write({
      summary: 'Connect the Telegram account that asks to join a chat',
      response: 'AcceptedInvitation',
      errors: INVITATION_ERRORS,
    }),
    validate('json', acceptInvitationSchema),
    async (c) => {
      const invitee = { ...c.req.valid('json'), userId: c.var.userId };
      return c.json(await c.var.services.invitations.accept(invitee));
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
      const query = { callerId: c.req.param('callerId'), userId: c.var.userId };
      return c.json(await c.var.services.invitations.listJoinLinks(query));
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
      const query = { chatId: c.req.param('id'), callerId: c.var.userId, cursor, limit };
      return respondWithRows(c, await c.var.services.invitations.listOthers(query));
    },
  );
