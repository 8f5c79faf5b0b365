import { HOUR_MS, JOIN_REQUEST_MS, PRODUCT_NAME } from '#schema/constants.ts';
import type {
  AcceptedInvitation,
  ChatInvitation,
  ChatOther,
  JoinLink,
} from '#schema/contracts/telegram-access.ts';
import { AppError } from '../../../app/errors.ts';
import { cutPage, type Page } from '../../../app/pages.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Messenger } from '../../../ports/messenger.ts';
import type { Attempts } from '../../../shared/attempts.ts';
import { readOptionalCursor } from '../../../shared/keyset.ts';
import { isolateName, showHandle } from '../../../shared/plain-text.ts';
import { createToken, hashToken } from '../../../shared/secrets.ts';
import type { MemberRow } from './access.repository.ts';
import type { AccessService } from './access.service.ts';
import type { InvitationsRepository } from './invitations.repository.ts';

export interface InvitationsOptions {
  readonly repository: InvitationsRepository;
  readonly access: Pick<AccessService, 'checkSoon'>;
  readonly entitlement: {
    canSeeActiveCalls(viewing: { viewerId: string; callerId: string }): Promise<boolean>;
  };
  readonly messenger: Messenger;
  readonly attempts: Attempts;
  readonly clock: Clock;
  readonly appOrigin: string;
}

/** Further requests of a person get no message. */
const INVITATIONS = { burst: 5, everyMs: HOUR_MS };

/** Leads people who ask to join a Paid caller's chat through the site. */
export function createInvitationsService(options: InvitationsOptions) {
  const { repository, access, entitlement, messenger, attempts, clock, appOrigin } = options;
  const find = async ({ token, userId }: Invitee) => {
    const invitation = await repository.findInvitation({
      nonceHash: await hashToken(token),
      userId,
      now: clock.now(),
    });
    if (invitation === null) throw new AppError({ code: 'telegram.join_link_dead' });
    const { ownerId } = invitation;
    if (ownerId !== null && ownerId !== userId) throw new AppError({ code: 'telegram.other_account' });
    return invitation;
  };

  return {
    /**
     * Writes to a person who must wait. Telegram allows this for five minutes after a request, even to people who have
     * never started the bot.
     * @throws if Telegram must repeat the update
     */
    async invite({ chatId, personId, title, handle, userId, joinNonceHash }: MemberRow): Promise<void> {
      if (joinNonceHash !== null) return;
      if ((await attempts.take({ action: 'chats.invite', person: personId, limit: INVITATIONS })) > 0) return;
      const token = createToken();
      const path = userId === null ? `/join/${token}` : `/caller/${handle}#subscribe`;
      const { status } = await messenger.send({
        chatId: personId,
        text:
          `${isolateName(title) ?? 'This chat'} is for subscribers of ${showHandle(handle)} on ${PRODUCT_NAME}. ` +
          `You get in as soon as you have subscribed. Without a subscription, your request ends after ` +
          `${JOIN_REQUEST_MS / HOUR_MS} hours.`,
        buttons: [{ text: 'Subscribe', url: `${appOrigin}${path}` }],
      });
      if (status === 'rate_limited' || status === 'failed') {
        throw new Error(`The invitation wasn't sent: ${status}`);
      }
      if (status !== 'unreachable') {
        await repository.saveNonce({ chatId, personId, nonceHash: await hashToken(token) });
      }
    },

    /** @throws telegram.join_link_dead, telegram.other_account */
    async find(invitee: Invitee): Promise<ChatInvitation> {
      const { title, kind, name, handle, personId, currentId } = await find(invitee);
      const isReplacing = currentId !== null && currentId !== personId;
      return { title, kind, telegramName: name, callerUsername: handle, isReplacing };
    },

    /**
     * Connects the Telegram account of the invitation. `hasAccess`: the user needs no new subscription.
     * @throws telegram.join_link_dead, telegram.other_account
     */
    async accept(invitee: Invitee): Promise<AcceptedInvitation> {
      const { callerId, handle } = await find(invitee);
      const { userId, token } = invitee;
      await repository.connect({ userId, nonceHash: await hashToken(token), now: clock.now() });
      access.checkSoon(userId);
      const hasAccess = await entitlement.canSeeActiveCalls({ viewerId: userId, callerId });
      return { callerUsername: handle, hasAccess };
    },

    /** The links to a caller's chats. Empty for people without access. @throws callers.not_found */
    async listJoinLinks({ userId, callerId }: { userId: string; callerId: string }): Promise<JoinLink[]> {
      if (!(await entitlement.canSeeActiveCalls({ viewerId: userId, callerId }))) return [];
      const links = await repository.listJoinLinks(callerId);
      return links.flatMap(({ url, ...chat }) => (url === null ? [] : [{ ...chat, url }]));
    },

    /** People in the caller's chat who came without us and have no access. @throws request.invalid */
    async listOthers({ cursor, limit, ...chat }: OthersRequest): Promise<Page<ChatOther>> {
      const rows = await repository.listOthers({
        ...chat,
        cursor: readOptionalCursor(cursor),
        limit: limit + 1,
      });
      const { shown, nextCursor } = cutPage(rows, limit, ({ since, personId }) => ({
        value: since,
        id: personId,
      }));
      const others = shown.map(({ personId: id, name, status, since }) => ({
        id,
        name,
        isAdmin: status === 'admin',
        since: new Date(since).toISOString(),
      }));
      return { rows: others, nextCursor };
    },
  };
}

export interface Invitee {
  readonly token: string;
  readonly userId: string;
}

export interface OthersRequest {
  readonly chatId: string;
  readonly callerId: string;
  readonly cursor: string | undefined;
  readonly limit: number;
}
