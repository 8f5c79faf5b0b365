import type { ActionNamed } from './action-schema.ts';
import { UserError } from '../bot-error.ts';
import type { CallbackQueries } from '../api/callback-queries.ts';
import type { ChatEvents } from '../chat-events.ts';
import type { SceneRules } from './scene.ts';
import type { User } from '../telegram-state.ts';
import { GENERAL_TOPIC_ID, isInside, type TelegramStore } from '../telegram-store.ts';
import { findTopic } from './topic-actions.ts';

interface MessageActionOptions {
  store: TelegramStore;
  events: ChatEvents;
  queries: CallbackQueries;
  rules: SceneRules;
}

export type MessageActions = ReturnType<typeof createMessageActions>;

/** Actions with messages. */
export function createMessageActions({ store, events, queries, rules }: MessageActionOptions) {
  function write(
    { text, chatId, replyTo, topicId = GENERAL_TOPIC_ID }: ActionNamed<'write'>,
    user: User,
  ): object {
    const command = /^\/\w+(@\w+)?/.exec(text)?.[0];
    const entities =
      command === undefined ? [] : [{ type: 'bot_command', offset: 0, length: command.length }];
    const message = { text, entities, replyTo: replyTo ?? null };
    if (chatId === user.id) {
      user.hasStarted = true;
      return events.post({ ...message, chatId, senderId: user.id });
    }
    const group = rules.findGroup(chatId);
    const member = store.memberOf(group, user.id);
    if (!isInside(member) || member.status === 'restricted') throw new UserError("You can't write here.");
    if (group.topics.length > 0 && findTopic(group, topicId).isClosed) {
      rules.requireRight({ user, group }, 'can_manage_topics');
    }
    const isChannel = group.type === 'channel';
    if (isChannel) rules.requireRight({ user, group }, 'can_post_messages');
    const senderId = events.actorIn(group, user.id);
    const senderChatId = isChannel || senderId !== user.id ? group.id : null;
    const isProtected = group.isProtected;
    const inTopic = { topicId: topicId === GENERAL_TOPIC_ID ? null : topicId };
    return events.post({ ...message, ...inTopic, chatId, senderId, senderChatId, isProtected });
  }

  function press({ chatId, messageId, button }: ActionNamed<'press'>, user: User): object {
    const message = findVisible({ chatId, messageId, user });
    return { queryId: queries.press({ userId: user.id, message, button }) };
  }

  function deleteMessage({ chatId, messageId }: ActionNamed<'delete-message'>, user: User): object {
    const message = findVisible({ chatId, messageId, user });
    const group = store.findGroup(chatId);
    if (group !== undefined && message.senderId !== user.id) {
      rules.requireRight({ user, group }, 'can_delete_messages');
    }
    // Telegram doesn't tell bots about deleted messages.
    store.removeMessage(message);
    return {};
  }

  function findVisible({ chatId, messageId, user }: { chatId: number; messageId: number; user: User }) {
    if (chatId !== user.id) {
      const group = rules.findGroup(chatId);
      if (group.username === null && !store.isInside(group, user.id)) {
        throw new UserError('This chat is private.');
      }
    }
    const message = store.findMessage(chatId, messageId);
    if (message === undefined) throw new UserError(`There is no message ${messageId} in this chat.`);
    return message;
  }

  return { write, press, deleteMessage };
}
