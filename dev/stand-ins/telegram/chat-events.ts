import type { Descriptions } from './describe.ts';
import { ANONYMOUS_ADMIN_ID, SERVICE_USER_ID } from './special-users.ts';
import type { Group, InviteLink, Member, Message } from './telegram-state.ts';
import { isAdministrator, isInside, type NewMessage, type TelegramStore } from './telegram-store.ts';

interface MemberChange {
  userId: number;
  /** The person who changes it: the user, an administrator or the bot. */
  actorId: number;
  to: Member;
  /** The link that the user joined by. */
  link?: InviteLink | undefined;
  /** The user's request to join a public chat was approved. */
  isDirectRequest?: boolean;
  /** Without a service message in the chat. */
  isQuiet?: boolean;
}

export type ChatEvents = ReturnType<typeof createChatEvents>;

/** Events in chats, and the updates that the bot gets of them. */
export function createChatEvents({ store, describe }: { store: TelegramStore; describe: Descriptions }) {
  const { bot, state } = store;

  /** An anonymous administrator of a group acts as @GroupAnonymousBot. */
  function actorIn(group: Group, userId: number): number {
    const member = store.memberOf(group, userId);
    const isAnonymous = isAdministrator(member) && member.rights.includes('is_anonymous');
    return isAnonymous && group.type !== 'channel' ? ANONYMOUS_ADMIN_ID : userId;
  }

  function post(message: NewMessage): Message {
    const added = store.addMessage(message);
    announce(added);
    const group = store.findGroup(added.chatId);
    if (group?.type === 'channel' && added.service === null) forwardToDiscussion(group, added);
    return added;
  }

  function announce(message: Message): void {
    const group = store.findGroup(message.chatId);
    const isOwn = message.senderId === bot.id && message.service === null;
    if (isOwn || (group !== undefined && !canBotSee(store, group, message))) return;
    store.addUpdate(group?.type === 'channel' ? 'channel_post' : 'message', describe.message(message));
  }

  function forwardToDiscussion(channel: Group, original: Message): void {
    const group = channel.linkedChatId === null ? undefined : store.findGroup(channel.linkedChatId);
    if (group === undefined || group.isDeleted) return;
    const { text, photo, entities, isProtected, messageId, date } = original;
    const copy = store.addMessage({
      chatId: group.id,
      senderId: SERVICE_USER_ID,
      senderChatId: channel.id,
      text,
      photo,
      entities,
      isProtected,
      keyboard: urlButtonsOf(original),
      forwardOf: { chatId: channel.id, messageId, date },
    });
    announce(copy);
  }

  /** Changes a message and its copy in the discussion group. */
  function edit(message: Message, change: Pick<Message, 'text' | 'entities' | 'keyboard'>): void {
    const edited = { ...change, editDate: store.seconds() };
    Object.assign(message, edited);
    const copy = state.messages.find(
      ({ forwardOf }) => forwardOf?.chatId === message.chatId && forwardOf.messageId === message.messageId,
    );
    if (copy !== undefined) Object.assign(copy, { ...edited, keyboard: urlButtonsOf(message) });
    store.saveSoon();
  }

  function changeMember(group: Group, { userId, actorId, to, ...options }: MemberChange): void {
    const from = store.memberOf(group, userId);
    const isBot = userId === bot.id;
    const seenActor = actorIn(group, actorId);
    group.members[userId] = to;
    if (isInside(to)) group.requests = group.requests.filter((request) => request.userId !== userId);
    store.saveSoon();
    if (isBot || isAdministrator(store.memberOf(group, bot.id))) {
      const pending = options.link === undefined ? 0 : countRequests(group, options.link);
      store.addUpdate(isBot ? 'my_chat_member' : 'chat_member', {
        chat: describe.chat(group.id),
        from: describe.user(seenActor),
        date: store.seconds(),
        old_chat_member: describe.member(group, { userId, is: from }),
        new_chat_member: describe.member(group, { userId, is: to }),
        ...(options.link === undefined ? {} : { invite_link: describe.link(options.link, pending) }),
        ...(options.isDirectRequest === true ? { via_join_request: true } : {}),
      });
    }
    if (group.type === 'channel' || options.isQuiet === true || isInside(from) === isInside(to)) return;
    const user = describe.user(userId);
    const service = isInside(to)
      ? { new_chat_participant: user, new_chat_member: user, new_chat_members: [user] }
      : { left_chat_participant: user, left_chat_member: user };
    const isOwnDoing = options.link !== undefined || options.isDirectRequest === true;
    const senderId = isOwnDoing ? userId : seenActor;
    const message = store.addMessage({ chatId: group.id, senderId, service });
    // A bot that was removed gets this last message.
    if (isBot && !isInside(to)) store.addUpdate('message', describe.message(message));
    else announce(message);
  }

  return { actorIn, post, edit, changeMember };
}

/** Privacy mode hides most messages of a group from a bot that isn't an administrator. */
function canBotSee(store: TelegramStore, group: Group, message: Message): boolean {
  const { bot, state } = store;
  const member = store.memberOf(group, bot.id);
  if (!isInside(member)) return false;
  if (isAdministrator(member) || !state.botSettings.hasPrivacyMode || message.service !== null) return true;
  const isOfBot = (found: Message | undefined) => found?.senderId === bot.id;
  if (message.replyTo !== null && isOfBot(store.findMessage(group.id, message.replyTo))) return true;
  const command = /^\/\w+(@\w+)?/.exec(message.text);
  if (command === null) return false;
  const addressee = command[1];
  if (addressee !== undefined) return addressee.toLowerCase() === `@${bot.username}`.toLowerCase();
  return store.messagesOf(group.id).some(isOfBot);
}

export function countRequests(group: Group, { url }: InviteLink): number {
  return group.requests.filter((request) => request.url === url).length;
}

/** A forwarded message keeps only the buttons that open a URL. */
function urlButtonsOf({ keyboard }: Message): Message['keyboard'] {
  return keyboard.map((row) => row.filter(({ url }) => url !== undefined)).filter((row) => row.length > 0);
}
