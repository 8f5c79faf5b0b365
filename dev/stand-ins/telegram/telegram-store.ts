import type { Bot } from './local-bot.ts';
import { UserError } from './bot-error.ts';
import type { UserJson } from './special-users.ts';
import {
  openTelegramState,
  type ChatMessage,
  type Group,
  type Member,
  type Message,
  type TelegramState,
  type User,
} from './telegram-state.ts';

/** Larger than 32 bits, like the ids of recent Telegram accounts. */
const FIRST_USER_ID = 5_600_000_001;
const GROUP_IDS = -4_500_000_000;
const SUPERGROUP_IDS = -1_002_000_000_000;
/** The topic that each forum has, and that the Bot API never names. */
export const GENERAL_TOPIC_ID = 1;
const DAY_SECONDS = 86_400;
/** A press of a button is worthless later, so Telegram drops it sooner than other updates. */
const CALLBACK_SECONDS = 150;
/** The kinds that the default of `allowed_updates` leaves out. */
const kindsOnRequest: readonly string[] = ['chat_member'];

export const outsider: Member = { status: 'left', rights: [] };
export const plainMember: Member = { status: 'member', rights: [] };

export type UpdateKind =
  | 'message'
  | 'channel_post'
  | 'callback_query'
  | 'my_chat_member'
  | 'chat_member'
  | 'chat_join_request';
export interface UpdateContent {
  from?: UserJson;
  [field: string]: unknown;
}

export type NewMessage = Partial<Message> & Pick<Message, 'chatId' | 'senderId'>;
export type TelegramStore = ReturnType<typeof openTelegramStore>;

/** @param options.now unix ms */
export function openTelegramStore({ file, now, bot }: { file: string; now: () => number; bot: Bot }) {
  const stored = openTelegramState(file);
  const state = stored.value;
  const seconds = () => Math.floor(now() / 1000);
  const findGroup = (id: number) => state.groups.find((group) => group.id === id);

  const usersById = new Map(state.users.map((user) => [user.id, user]));
  const usersByName = new Map(state.users.map((user) => [user.username?.toLowerCase(), user]));

  /** Finds a user by id or username. */
  function findUser(reference: string | number): User | undefined {
    const wanted = plainName(String(reference)).toLowerCase();
    return /^\d+$/.test(wanted) ? usersById.get(Number(wanted)) : usersByName.get(wanted);
  }

  function addUser({ firstName, username }: Pick<User, 'firstName' | 'username'>): User {
    if (username !== null && findUser(username) !== undefined) {
      throw new UserError('This username is already taken.');
    }
    const user = {
      id: FIRST_USER_ID + state.users.length,
      firstName,
      username,
      hasStarted: false,
      isBlocked: false,
      isKnown: false,
      pickButtons: [],
    };
    state.users.push(user);
    usersById.set(user.id, user);
    if (username !== null) usersByName.set(username.toLowerCase(), user);
    stored.saveSoon();
    return user;
  }

  const memberOf = (group: Group, userId: number): Member => group.members[userId] ?? outsider;

  return {
    bot,
    state,
    seconds,
    now,
    saveSoon: stored.saveSoon,
    flush: stored.flush,
    findUser,
    addUser,
    /** Finds a user, or creates one with this username. */
    openUser(reference: string): User {
      const known = findUser(reference);
      if (known !== undefined) return known;
      const username = plainName(reference);
      if (/^\d+$/.test(username)) throw new UserError(`There is no user with the id ${username}.`);
      return addUser({ firstName: username.split('_')[0] ?? username, username });
    },
    findGroup,
    findPublic: (username: string) =>
      state.groups.find(
        (group) => !group.isDeleted && group.username?.toLowerCase() === plainName(username).toLowerCase(),
      ),
    addGroup(options: Pick<Group, 'type' | 'title'>): Group {
      const group = createGroup({ ...options, number: state.nextChatNumber });
      state.nextChatNumber += 1;
      state.groups.push(group);
      return group;
    },
    memberOf,
    isInside: (group: Group, userId: number) => isInside(memberOf(group, userId)),
    /** The groups and channels that the user is in. */
    chatsOf: (userId: number) =>
      state.groups.filter(
        (group) => !group.isDeleted && group.migratedTo === null && isInside(memberOf(group, userId)),
      ),
    /** Queues an update for the webhook, unless `allowed_updates` leaves out its kind. */
    addUpdate(kind: UpdateKind, content: UpdateContent): void {
      const { allowedUpdates } = state;
      const met = content.from === undefined ? undefined : findUser(content.from.id);
      if (met !== undefined) met.isKnown = true;
      const isAllowed =
        allowedUpdates === null ? !kindsOnRequest.includes(kind) : allowedUpdates.includes(kind);
      if (!isAllowed) return;
      const lifetime = kind === 'callback_query' ? CALLBACK_SECONDS : DAY_SECONDS;
      const update = { update_id: state.nextUpdateId, [kind]: content };
      state.nextUpdateId += 1;
      state.pending.push({ expiresAt: now() + lifetime * 1000, update });
      stored.saveSoon();
    },
    ...createMessageList({ state, bot, seconds, save: stored.saveSoon }),
  };
}

interface MessageListOptions {
  state: TelegramState;
  bot: Bot;
  seconds: () => number;
  save: () => void;
}

function createMessageList({ state, bot, seconds, save }: MessageListOptions) {
  return {
    addMessage(message: NewMessage): Message {
      const group = state.groups.find(({ id }) => id === message.chatId);
      // Each supergroup and channel numbers its own messages.
      const counter = group === undefined || group.type === 'group' ? state : group;
      const added: Message = {
        from: message.senderId === bot.id ? 'bot' : 'user',
        senderChatId: null,
        text: '',
        photo: null,
        entities: [],
        keyboard: [],
        replyTo: null,
        topicId: null,
        isProtected: false,
        notified: readersOf(message, group),
        editDate: null,
        forwardOf: null,
        service: null,
        ...message,
        messageId: counter.nextMessageId,
        date: seconds(),
      };
      counter.nextMessageId += 1;
      state.messages.push(added);
      save();
      return added;
    },
    findMessage: (chatId: number, messageId: number) =>
      state.messages.findLast((message) => message.chatId === chatId && message.messageId === messageId),
    removeMessage(message: Message): void {
      state.messages.splice(state.messages.indexOf(message), 1);
      save();
    },
    /** Messages of one chat or of all, oldest first, as tests read them. */
    listMessages: (chatId?: number): ChatMessage[] =>
      state.messages
        .filter((message) => chatId === undefined || message.chatId === chatId)
        .map(({ keyboard, ...message }) => ({ ...message, parseMode: null, buttons: keyboard.flat() })),
    messagesOf: (chatId: number) => state.messages.filter((message) => message.chatId === chatId),
  };
}

function readersOf({ chatId, senderId }: NewMessage, group: Group | undefined): number[] {
  const inside = Object.entries(group?.members ?? {}).filter(([, member]) => isInside(member));
  const readers = group === undefined ? [chatId] : inside.map(([id]) => Number(id));
  return readers.filter((id) => id !== senderId);
}

function createGroup({ type, title, number }: Pick<Group, 'type' | 'title'> & { number: number }): Group {
  return {
    id: (type === 'group' ? GROUP_IDS : SUPERGROUP_IDS) - number,
    type,
    title,
    username: null,
    linkedChatId: null,
    isProtected: false,
    joinByRequest: false,
    topics: [],
    isDeleted: false,
    migratedTo: null,
    members: {},
    links: [],
    requests: [],
    nextMessageId: 1,
  };
}

export function isInside({ status }: Member): boolean {
  return status !== 'left' && status !== 'kicked';
}

export function isAdministrator({ status }: Member): boolean {
  return status === 'creator' || status === 'administrator';
}

export function hasRight(member: Member, right: string): boolean {
  return member.status === 'creator' || (member.status === 'administrator' && member.rights.includes(right));
}

function plainName(name: string): string {
  return name.trim().replace(/^@/, '');
}
