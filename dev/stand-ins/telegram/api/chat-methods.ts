import { badRequest } from '../bot-error.ts';
import { isTrue, readInteger, readText, type ChatAccess, type Parameters } from './chat-access.ts';
import type { ChatEvents } from '../chat-events.ts';
import { rightsOf, type Descriptions } from '../describe.ts';
import type { Invitations } from '../invitations.ts';
import type { Group } from '../telegram-state.ts';
import { isInside, outsider, type TelegramStore } from '../telegram-store.ts';

interface ChatParts {
  store: TelegramStore;
  describe: Descriptions;
  access: ChatAccess;
  events: ChatEvents;
  invitations: Invitations;
}

const NO_RIGHTS = 'not enough rights to restrict/unrestrict chat member';
const NO_LINKS = "can't invite members to a private chat";
const NO_REQUESTS = "the chat can't have join requests";

/** Members of every chat that only getChat returns. */
const FULL_INFO = {
  accent_color_id: 0,
  max_reaction_count: 11,
  accepted_gift_types: {
    unlimited_gifts: false,
    limited_gifts: false,
    unique_gifts: false,
    premium_subscription: false,
    gifts_from_channels: false,
  },
};

/** The methods about chats and their members. */
export const createChatMethods = (parts: ChatParts) => ({
  ...createReadMethods(parts),
  ...createRemovalMethods(parts),
  ...createInviteMethods(parts),
});

/** The methods that read chats and their members. */
function createReadMethods({ store, describe, access }: ChatParts) {
  const { bot } = store;

  function describeFull(group: Group): object {
    return {
      ...describe.chat(group.id),
      ...(group.linkedChatId === null ? {} : { linked_chat_id: group.linkedChatId }),
      ...(group.joinByRequest ? { join_by_request: true } : {}),
      ...(group.isProtected ? { has_protected_content: true } : {}),
      ...(group.username === null ? {} : { active_usernames: [group.username] }),
      ...FULL_INFO,
    };
  }

  function getMember(parameters: Parameters): object {
    const isSelf = readInteger(parameters['user_id']) === bot.id;
    const { group, user: peer } = access.find(parameters, isSelf ? 'read' : 'members');
    const userId = isSelf ? bot.id : access.findMember(parameters).id;
    if (group === undefined) {
      if (!isSelf && userId !== peer.id) throw badRequest('member not found');
      return { user: describe.user(userId), status: 'member' };
    }
    access.requireMemberList(group);
    return describe.member(group, { userId, is: store.memberOf(group, userId) });
  }

  return {
    getchat: (parameters: Parameters) => {
      const { group, user } = access.find(parameters, 'read');
      return group === undefined ? { ...describe.chat(user.id), ...FULL_INFO } : describeFull(group);
    },
    getchatmember: getMember,
    getchatmembercount: (parameters: Parameters) => {
      const { group } = access.find(parameters, 'read');
      return group === undefined ? 2 : Object.values(group.members).filter(isInside).length;
    },
  };
}

/** The rights that an administrator gets if none are named. */
export function usualRights(group: Group): string[] {
  return rightsOf[group.type].filter((right) => right !== 'is_anonymous' && right !== 'can_promote_members');
}

/** The method that removes members. */
function createRemovalMethods({ store, access, events }: ChatParts) {
  const { bot } = store;

  function requireRemovable(group: Group, userId: number): void {
    const { status } = store.memberOf(group, userId);
    if (status === 'creator') throw badRequest("can't remove chat owner");
    access.requireRight(group, { right: 'can_restrict_members', otherwise: NO_RIGHTS });
    if (status === 'administrator') throw badRequest('user is an administrator of the chat');
  }

  function unban(parameters: Parameters): true {
    const elsewhere = 'method is available for supergroup and channel chats only';
    const group = access.findGroup(parameters, { access: 'write', elsewhere });
    if (group.type === 'group') throw badRequest(elsewhere);
    const userId = access.findMember(parameters).id;
    const member = store.memberOf(group, userId);
    access.requireMemberList(group);
    if (member.status === 'left' || (isTrue(parameters['only_if_banned']) && member.status !== 'kicked')) {
      return true;
    }
    requireRemovable(group, userId);
    // Telegram bans a member and then lifts the ban.
    if (isInside(member)) {
      const to = { ...outsider, status: 'kicked' as const };
      events.changeMember(group, { userId, actorId: bot.id, to });
    }
    events.changeMember(group, { userId, actorId: bot.id, to: outsider });
    return true;
  }

  return {
    unbanchatmember: unban,
  };
}

/** The methods about invite links and requests to join. */
function createInviteMethods({ store, describe, access, invitations }: ChatParts) {
  const { bot } = store;

  function findGroup(parameters: Parameters, what: 'link' | 'requests') {
    const elsewhere = what === 'link' ? NO_LINKS : NO_REQUESTS;
    const group = access.findGroup(parameters, { access: 'write', elsewhere });
    const managed = what === 'link' ? 'chat invite link' : 'chat join requests';
    access.requireRight(group, {
      right: 'can_invite_users',
      otherwise: `not enough rights to manage ${managed}`,
    });
    return group;
  }

  /** @throws BotError for a revoked link */
  function findOwnLink(group: Group, parameters: Parameters) {
    const url = readText(parameters['invite_link']);
    const link = group.links.find((each) => each.url === url && each.creatorId === bot.id);
    if (link === undefined || link.isRevoked) throw badRequest('INVITE_HASH_EXPIRED');
    return link;
  }

  function decide(parameters: Parameters, isApproved: boolean): true {
    const group = findGroup(parameters, 'requests');
    const userId = access.findMember(parameters).id;
    const problem = invitations.decide(group, { userId, actorId: bot.id, isApproved });
    if (problem !== undefined) throw badRequest(problem);
    return true;
  }

  return {
    createchatinvitelink: (parameters: Parameters, origin: string) => {
      const group = findGroup(parameters, 'link');
      const name = readText(parameters['name']).slice(0, 32);
      const createsJoinRequest = isTrue(parameters['creates_join_request']);
      const link = invitations.createLink(group, { origin, creatorId: bot.id, name, createsJoinRequest });
      return describe.link(link);
    },
    editchatinvitelink: (parameters: Parameters) => {
      const group = findGroup(parameters, 'link');
      const link = findOwnLink(group, parameters);
      link.name = readText(parameters['name']).slice(0, 32);
      link.createsJoinRequest = isTrue(parameters['creates_join_request']);
      store.saveSoon();
      return describe.link(link);
    },
    revokechatinvitelink: (parameters: Parameters) => {
      const group = findGroup(parameters, 'link');
      const link = findOwnLink(group, parameters);
      link.isRevoked = true;
      store.saveSoon();
      return describe.link(link);
    },
    approvechatjoinrequest: (parameters: Parameters) => decide(parameters, true),
    declinechatjoinrequest: (parameters: Parameters) => decide(parameters, false),
  };
}
