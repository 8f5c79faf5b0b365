import { badRequest, BotError, forbidden } from '../bot-error.ts';
import type { Group, Message, User } from '../telegram-state.ts';
import { GENERAL_TOPIC_ID, hasRight, isAdministrator, type TelegramStore } from '../telegram-store.ts';

export type Parameters = Record<string, unknown>;
/** The purpose of a method in a chat. The Bot API checks more for some than for others. */
type Access = 'read' | 'members' | 'edit' | 'write';
/** `replied`: the message that is replied to. */
interface TopicOptions {
  parameters: Parameters;
  replied: Message | undefined;
}
export type Target = { user: User; group?: undefined } | { group: Group; user?: undefined };

/** For this long after a request to join, the bot may write to the user. */
const CONTACT_SECONDS = 300;

export type ChatAccess = ReturnType<typeof createChatAccess>;

/** The checks and errors of `Client::check_chat` in the source of the Bot API. */
export function createChatAccess(store: TelegramStore) {
  const { bot } = store;
  const botIn = (group: Group) => store.memberOf(group, bot.id);

  function find(parameters: Parameters, access: Access): Target {
    const reference = readText(parameters['chat_id']);
    if (reference === '') throw badRequest('chat_id is empty');
    if (reference.startsWith('@')) {
      const group = store.findPublic(reference);
      if (group === undefined) throw badRequest('chat not found');
      return { group: checkGroup(group, access) };
    }
    const id = Number.parseInt(reference, 10);
    const group = store.findGroup(id);
    if (group !== undefined) {
      // The bot knows only chats that it has been in.
      if (group.members[bot.id] === undefined) throw badRequest('chat not found');
      return { group: checkGroup(group, access) };
    }
    const user = store.findUser(id);
    if (user === undefined || !isKnown(store, user)) throw badRequest('chat not found');
    return { user };
  }

  function checkGroup(group: Group, access: Access): Group {
    const { status } = botIn(group);
    if (group.type === 'group') checkBasicGroup(group, { status, access });
    else if (group.isDeleted || status === 'kicked') {
      throw forbidden(`bot was kicked from the ${group.type} chat`);
    } else if (status === 'left' && (group.username === null || access === 'edit' || access === 'write')) {
      throw forbidden(`bot is not a member of the ${group.type} chat`);
    }
    return group;
  }

  return {
    find,
    /** @throws BotError in a private chat */
    findGroup(parameters: Parameters, { access, elsewhere }: { access: Access; elsewhere: string }): Group {
      const { group } = find(parameters, access);
      if (group === undefined) throw badRequest(elsewhere);
      return group;
    },
    /** Finds the user of `user_id` for a method about members. */
    findMember(parameters: Parameters): User {
      const id = readInteger(parameters['user_id']);
      if (id <= 0) throw badRequest('invalid user_id specified');
      const user = store.findUser(id);
      if (user === undefined) throw badRequest('user not found');
      if (!isKnown(store, user)) throw badRequest('PARTICIPANT_ID_INVALID');
      return user;
    },
    /** @throws BotError if the bot may not write there */
    requireSending(target: Target, what: 'text messages' | 'photos'): void {
      if (target.user !== undefined) {
        if (target.user.isBlocked) throw forbidden('bot was blocked by the user');
        if (target.user.hasStarted || canContact(store, target.user)) return;
        throw forbidden("bot can't initiate conversation with a user");
      }
      const member = botIn(target.group);
      if (target.group.type === 'channel' && !hasRight(member, 'can_post_messages')) {
        throw badRequest('need administrator rights in the channel chat');
      }
      if (member.status === 'restricted' && !member.rights.includes('can_send_messages')) {
        throw badRequest(`not enough rights to send ${what} to the chat`);
      }
    },
    requireRight(group: Group, { right, otherwise }: { right: string; otherwise: string }): void {
      if (!hasRight(botIn(group), right)) throw badRequest(otherwise);
    },
    /**
     * The topic that a message is sent to; null for General. A group without topics ignores the parameter, as
     * `Client::check_message_topic` does. @throws BotError for an unknown, deleted or closed topic
     */
    findTopic({ group }: Target, { parameters, replied }: TopicOptions): number | null {
      if (group === undefined || group.topics.length === 0) return null;
      const named = readInteger(parameters['message_thread_id']);
      const id = named === 0 ? (replied?.topicId ?? GENERAL_TOPIC_ID) : named;
      const topic = group.topics.find((each) => each.id === id);
      // General can't be named.
      if (topic === undefined || named === GENERAL_TOPIC_ID) throw badRequest('message thread not found');
      if (topic.isClosed && !hasRight(botIn(group), 'can_manage_topics')) throw badRequest('TOPIC_CLOSED');
      return id === GENERAL_TOPIC_ID ? null : id;
    },
    /** A channel shows its members to administrators only. */
    requireMemberList(group: Group): void {
      if (group.type !== 'channel' || isAdministrator(botIn(group))) return;
      throw badRequest('member list is inaccessible');
    },
  };
}

function checkBasicGroup(group: Group, { status, access }: { status: string; access: Access }): void {
  if (access === 'read') return;
  if (group.migratedTo !== null && access !== 'edit') {
    throw new BotError('Bad Request: group chat was upgraded to a supergroup chat', {
      migrateToChatId: group.migratedTo,
    });
  }
  if (group.isDeleted && access !== 'edit') throw forbidden('the group chat was deleted');
  if (status === 'kicked') throw forbidden('bot was kicked from the group chat');
  if (status === 'left') throw forbidden('bot is not a member of the group chat');
}

/** True for users whom the bot had an update about, and for those in its chats. */
function isKnown(store: TelegramStore, user: User): boolean {
  const isShared = (group: Group) =>
    store.isInside(group, store.bot.id) && group.members[user.id] !== undefined;
  return user.isKnown || store.state.groups.some(isShared);
}

function canContact(store: TelegramStore, user: User): boolean {
  const since = store.seconds() - CONTACT_SECONDS;
  return store.state.groups.some(
    (group) =>
      hasRight(store.memberOf(group, store.bot.id), 'can_invite_users') &&
      group.requests.some(({ userId, date }) => userId === user.id && date > since),
  );
}

export function readInteger(value: unknown): number {
  const number = Number.parseInt(readText(value), 10);
  return Number.isSafeInteger(number) ? number : 0;
}

export function readText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export function isTrue(value: unknown): boolean {
  return ['true', 'yes', '1'].includes(String(value).toLowerCase());
}

/**
 * Reads a structured parameter of the Bot API: a value in a JSON body, or JSON text in a form. Text that isn't
 * JSON is returned unchanged, so that validation refuses it.
 */
export function readJsonParameter(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
