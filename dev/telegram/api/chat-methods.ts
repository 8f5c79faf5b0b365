import { badRequest } from '../bot-error.ts';
import { readInteger, type ChatAccess, type Parameters } from './chat-access.ts';
import { rightsOf, type Descriptions } from '../describe.ts';
import type { Group } from '../telegram-state.ts';
import { isAdministrator, type TelegramStore } from '../telegram-store.ts';

interface ChatMethodOptions {
  store: TelegramStore;
  describe: Descriptions;
  access: ChatAccess;
}

/** The methods that read chats and their members. */
export function createChatMethods({ store, describe, access }: ChatMethodOptions) {
  const { bot } = store;

  function describeFull(group: Group): object {
    return {
      ...describe.chat(group.id),
      ...(group.linkedChatId === null ? {} : { linked_chat_id: group.linkedChatId }),
      ...(group.joinByRequest ? { join_by_request: true } : {}),
      ...(group.isProtected ? { has_protected_content: true } : {}),
      ...(group.username === null ? {} : { active_usernames: [group.username] }),
      accent_color_id: 0,
      max_reaction_count: 11,
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
      return group === undefined ? describe.chat(user.id) : describeFull(group);
    },
    getchatmember: getMember,
    getchatadministrators: (parameters: Parameters) => {
      const group = access.findGroup(parameters, {
        access: 'members',
        elsewhere: 'there are no administrators in the private chat',
      });
      access.requireMemberList(group);
      return Object.entries(group.members)
        .filter(([, member]) => isAdministrator(member))
        .map(([userId, is]) => describe.member(group, { userId: Number(userId), is }));
    },
  };
}

/** The rights that an administrator gets if none are named. */
export function usualRights(group: Group): string[] {
  return rightsOf[group.type].filter((right) => right !== 'is_anonymous' && right !== 'can_promote_members');
}
