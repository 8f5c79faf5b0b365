import type { ActionNamed, NewChat } from './action-schema.ts';
import { UserError } from '../bot-error.ts';
import type { ChatEvents } from '../chat-events.ts';
import type { Group, Member, User } from '../telegram-state.ts';
import { setForum } from './topic-actions.ts';
import { isAdministrator, plainMember, type TelegramStore } from '../telegram-store.ts';

interface ChangeOptions {
  store: TelegramStore;
  events: ChatEvents;
  user: User;
  group: Group;
}

type NewChatOptions = Pick<ChangeOptions, 'store'> & { chat: NewChat };

/** Creates a chat. The person who creates it owns it. */
export function createChat({ store, chat }: NewChatOptions): Group {
  const { as, type, title, username = '', members } = chat;
  if (username !== '') requireFreeUsername({ store, type, username });
  const user = store.openUser(as);
  const group = store.addGroup({ type, title });
  group.username = username === '' ? null : username;
  group.members[user.id] = { status: 'creator', rights: [] };
  for (const member of members) group.members[store.openUser(member).id] ??= plainMember;
  store.addMessage({
    chatId: group.id,
    senderId: user.id,
    senderChatId: type === 'channel' ? group.id : null,
    service: { [`${type}_chat_created`]: true },
  });
  return group;
}

type Change = Partial<Omit<ActionNamed<'change-chat'>, 'action' | 'as' | 'chatId'>>;

/** Changes a chat's settings. Telegram tells bots about a new title only. */
export function changeChat({
  store,
  events,
  user,
  group,
  change,
}: ChangeOptions & { change: Change }): object {
  const { title, username, linkedChatId, isProtected, joinByRequest, isForum, isAnonymous } = change;
  if (username !== undefined) {
    requireFreeUsername({ store, type: group.type, username, group });
    group.username = username === '' ? null : username;
  }
  if (linkedChatId !== undefined) linkDiscussion({ store, group, linkedChatId });
  if (isProtected !== undefined) group.isProtected = isProtected;
  if (joinByRequest !== undefined) group.joinByRequest = joinByRequest;
  if (isForum !== undefined) setForum(group, isForum);
  if (isAnonymous !== undefined) setAnonymous(store.memberOf(group, user.id), isAnonymous);
  if (title !== undefined && title !== group.title) {
    group.title = title;
    events.post({
      chatId: group.id,
      senderId: events.actorIn(group, user.id),
      senderChatId: group.type === 'channel' ? group.id : null,
      service: { new_chat_title: title },
    });
  }
  store.saveSoon();
  return {};
}

interface UsernameOptions {
  store: TelegramStore;
  type: Group['type'];
  username: string;
  /** The chat that may already have this username. */
  group?: Group;
}

function requireFreeUsername({ store, type, username, group }: UsernameOptions): void {
  if (type === 'group') throw new UserError('Upgrade the group to a supergroup first.');
  if (username === '') return;
  if (!/^[A-Za-z][A-Za-z0-9_]{3,31}$/.test(username)) throw new UserError('This username is invalid.');
  const holder = store.findPublic(username);
  if (holder !== undefined && holder !== group) throw new UserError('This username is already taken.');
}

interface LinkOptions {
  store: TelegramStore;
  group: Group;
  linkedChatId: number;
}

function linkDiscussion({ store, group, linkedChatId }: LinkOptions): void {
  const former = group.linkedChatId === null ? undefined : store.findGroup(group.linkedChatId);
  if (former !== undefined) former.linkedChatId = null;
  group.linkedChatId = null;
  if (linkedChatId === 0) return;
  const linked = store.findGroup(linkedChatId);
  if (group.type !== 'channel' || linked?.type !== 'supergroup') {
    throw new UserError('A channel can be linked with a supergroup only.');
  }
  if (linked.topics.length > 0) throw new UserError('A group with topics can discuss no channel.');
  group.linkedChatId = linked.id;
  linked.linkedChatId = group.id;
}

function setAnonymous(member: Member, isAnonymous: boolean): void {
  if (!isAdministrator(member)) throw new UserError('Only administrators can be anonymous.');
  const others = member.rights.filter((right) => right !== 'is_anonymous');
  member.rights = isAnonymous ? [...others, 'is_anonymous'] : others;
}

/** Upgrades a group to a supergroup, which has another id. */
export function migrateChat({ store, events, user, group }: ChangeOptions): object {
  if (group.type !== 'group') throw new UserError('Only a basic group can be upgraded.');
  const { bot } = store;
  const supergroup = store.addGroup({ type: 'supergroup', title: group.title });
  supergroup.joinByRequest = group.joinByRequest;
  supergroup.members = { ...group.members };
  const botMember = group.members[bot.id];
  delete supergroup.members[bot.id];
  group.migratedTo = supergroup.id;
  events.post({
    chatId: group.id,
    senderId: events.actorIn(group, user.id),
    service: { migrate_to_chat_id: supergroup.id },
  });
  // The bot hears that it is in the supergroup, but never that it left the group.
  if (botMember !== undefined) {
    const to = botMember.status === 'restricted' ? plainMember : botMember;
    events.changeMember(supergroup, { userId: bot.id, actorId: user.id, to, isQuiet: true });
  }
  events.post({
    chatId: supergroup.id,
    senderId: events.actorIn(supergroup, user.id),
    service: { migrate_from_chat_id: group.id },
  });
  return { chatId: supergroup.id };
}
