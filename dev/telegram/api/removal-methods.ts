import { badRequest } from '../bot-error.ts';
import { isTrue, readInteger, type ChatAccess, type Parameters } from './chat-access.ts';
import type { ChatEvents } from '../chat-events.ts';
import type { Group } from '../telegram-state.ts';
import { isInside, outsider, type TelegramStore } from '../telegram-store.ts';

/** `unbanChatMember` of a member bans for this long, and then lifts the ban. */
const REMOVAL_SECONDS = 60;
const MAX_BAN_SECONDS = 366 * 86_400;
const NO_RIGHTS = 'not enough rights to restrict/unrestrict chat member';

interface RemovalMethodOptions {
  store: TelegramStore;
  access: ChatAccess;
  events: ChatEvents;
}

/** The methods that remove members, or the bot itself. */
export function createRemovalMethods({ store, access, events }: RemovalMethodOptions) {
  const { bot } = store;

  function requireRemovable(group: Group, userId: number): void {
    const { status } = store.memberOf(group, userId);
    if (status === 'creator') throw badRequest("can't remove chat owner");
    access.requireRight(group, { right: 'can_restrict_members', otherwise: NO_RIGHTS });
    if (status === 'administrator') throw badRequest('user is an administrator of the chat');
  }

  /** A ban for less than 30 seconds or more than 366 days never ends. */
  function readEnd(parameter: unknown): number {
    const untilDate = readInteger(parameter);
    const duration = untilDate - store.seconds();
    return duration < 30 || duration > MAX_BAN_SECONDS ? 0 : untilDate;
  }

  function ban(parameters: Parameters): true {
    const group = access.findGroup(parameters, {
      access: 'write',
      elsewhere: "can't ban members in private chats",
    });
    const userId = access.findMember(parameters).id;
    requireRemovable(group, userId);
    // A basic group has no bans: the user may come back by a link.
    const to =
      group.type === 'group'
        ? outsider
        : { ...outsider, status: 'kicked' as const, untilDate: readEnd(parameters['until_date']) };
    events.changeMember(group, { userId, actorId: bot.id, to });
    return true;
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
    if (isInside(member)) {
      const untilDate = store.seconds() + REMOVAL_SECONDS;
      events.changeMember(group, {
        userId,
        actorId: bot.id,
        to: { ...outsider, status: 'kicked', untilDate },
      });
    }
    events.changeMember(group, { userId, actorId: bot.id, to: outsider });
    return true;
  }

  return {
    banchatmember: ban,
    unbanchatmember: unban,
    leavechat: (parameters: Parameters) => {
      const group = access.findGroup(parameters, {
        access: 'read',
        elsewhere: "chat member status can't be changed in private chats",
      });
      events.changeMember(group, { userId: bot.id, actorId: bot.id, to: outsider });
      return true;
    },
  };
}
