import { randomBytes } from 'node:crypto';
import { UserError } from './bot-error.ts';
import { countRequests, type ChatEvents } from './chat-events.ts';
import type { Descriptions } from './describe.ts';
import type { Group, InviteLink } from './telegram-state.ts';
import { hasRight, isInside, plainMember, type TelegramStore } from './telegram-store.ts';

interface InvitationOptions {
  store: TelegramStore;
  describe: Descriptions;
  events: ChatEvents;
}

type NewLink = Omit<InviteLink, 'url' | 'isRevoked'> & {
  /** The stand-in's own address, which the link opens. */
  origin: string;
};

/** Finds a link by its hash, because the stand-in's address may have changed. */
export function findLink(group: Group, url: string): InviteLink | undefined {
  const hashOf = (text: string) => text.split('/+')[1];
  return group.links.find((link) => hashOf(link.url) === hashOf(url));
}

export type Invitations = ReturnType<typeof createInvitations>;

/** Invite links, and the requests of people who want to join. */
export function createInvitations({ store, describe, events }: InvitationOptions) {
  const { bot, state } = store;

  function findByLink(url: string): { group: Group; link: InviteLink } {
    for (const group of state.groups) {
      const link = findLink(group, url);
      if (link !== undefined && !link.isRevoked && !group.isDeleted) return { group, link };
    }
    throw new UserError('Sorry, this link has expired.');
  }

  function request(group: Group, { userId, link }: { userId: number; link?: InviteLink | undefined }): void {
    if (group.requests.some((each) => each.userId === userId)) return;
    group.requests.push({ userId, date: store.seconds(), url: link?.url ?? null });
    store.saveSoon();
    if (!hasRight(store.memberOf(group, bot.id), 'can_invite_users')) return;
    store.addUpdate('chat_join_request', {
      chat: describe.chat(group.id),
      from: describe.user(userId),
      user_chat_id: userId,
      date: store.seconds(),
      ...(link === undefined ? {} : { invite_link: describe.link(link, countRequests(group, link)) }),
    });
  }

  return {
    findByLink,
    createLink(group: Group, { origin, ...options }: NewLink): InviteLink {
      const hash = randomBytes(12).toString('base64url').replaceAll('-', '_');
      const url = new URL(`/telegram/+${hash}`, origin).href;
      const link: InviteLink = { ...options, url, isRevoked: false };
      group.links.push(link);
      store.saveSoon();
      return link;
    },
    /** Joins, or asks to join, by a link or by the username of a public chat. */
    join(
      group: Group,
      { userId, link }: { userId: number; link?: InviteLink | undefined },
    ): 'member' | 'requested' {
      const member = store.memberOf(group, userId);
      if (isInside(member)) throw new UserError('You are already a member.');
      // A basic group has no bans.
      const isBanned = member.status === 'kicked' && group.type !== 'group';
      if (isBanned) throw new UserError("Sorry, you can't join: you were removed from this chat.");
      if (link?.createsJoinRequest ?? group.joinByRequest) {
        request(group, { userId, link });
        return 'requested';
      }
      events.changeMember(group, { userId, actorId: userId, to: plainMember, link });
      return 'member';
    },
    /** Approves or declines a request. Returns the reason if that's impossible. */
    decide(
      group: Group,
      { userId, actorId, isApproved }: { userId: number; actorId: number; isApproved: boolean },
    ): string | undefined {
      const found = group.requests.find((each) => each.userId === userId);
      if (isApproved && store.isInside(group, userId)) return 'USER_ALREADY_PARTICIPANT';
      if (found === undefined) return 'HIDE_REQUESTER_MISSING';
      group.requests.splice(group.requests.indexOf(found), 1);
      store.saveSoon();
      if (!isApproved) return undefined;
      const link = group.links.find(({ url }) => url === found.url);
      const isDirectRequest = link === undefined;
      events.changeMember(group, { userId, actorId, to: plainMember, link, isDirectRequest });
      return undefined;
    },
  };
}
