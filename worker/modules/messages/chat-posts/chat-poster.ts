import { isPosting } from '#schema/rules/access/telegram-chats.ts';
import { isFreeFee } from '#schema/rules/money/lamports.ts';
import { isListed } from '#schema/rules/people/standing.ts';
import type { ChatPost, PostResult } from '../../../adapters/telegram-chats.ts';
import type { Base } from '../../../app/base.ts';
import type { Messenger, OutgoingMessage, SendResult } from '../../../ports/messenger.ts';
import { callButtons } from '../facts/call-buttons.ts';
import { repeatEvent } from '../facts/repeated-events.ts';
import { standingOf } from '../../money/callers/caller-standing.ts';
import type { ChatChecks } from '../chats/chat-checks.ts';
import { createChatsRepository, type ChatRow } from '../chats/chats.repository.ts';
import { createChatPostsRepository, type PostedCall } from './chat-posts.repository.ts';
import { composePostText } from './post-text.ts';

/** More updates than fit into a message, unless they have few characters. */
const MAX_UPDATES = 30;

export interface ChatPosterOptions extends Pick<Base, 'db' | 'env' | 'chats' | 'vars'> {
  readonly checks: ChatChecks;
}

/**
 * Sends a call's event to a chat: posts the call, or edits its message. Both contain all that has happened to the call
 * so far, so the order of events doesn't matter. Sends to one chat must not overlap. If the call can't be posted or edited
 * anymore, the followers in the chat get the event in their private chats.
 */
export function createChatPoster(options: ChatPosterOptions): Pick<Messenger, 'send'> {
  const { db, env, chats, checks, vars } = options;
  const repository = createChatPostsRepository(db);
  const connected = createChatsRepository(db);

  const compose = async (call: PostedCall, chatId: string, isFree: boolean): Promise<ChatPost> => {
    const newest = await repository.listUpdates(call.id, MAX_UPDATES + 1);
    const callUrl = `${vars.APP_ORIGIN}/call/${call.id}`;
    const text = composePostText({
      call,
      updates: newest.slice(0, MAX_UPDATES).toReversed(),
      hasOlderUpdates: newest.length > MAX_UPDATES,
      callUrl,
    });
    const subscribe = { text: 'Subscribe', url: `${vars.APP_ORIGIN}/caller/${call.callerId}#subscribe` };
    const rows = [callButtons({ mint: call.endedAt === null ? call.tokenMint : null, url: callUrl })];
    return { chatId, text, buttons: isFree ? rows : [...rows, [subscribe]], isProtected: !isFree };
  };

  /** Sends the event to followers in the chat, who got no private message because calls are posted there. */
  const sendPrivately = async (chat: ChatRow, eventId: string): Promise<void> => {
    // If the chat gets no posts, its members got a private message.
    if (!isPosting(chat)) return;
    const { callerId, chatId: part } = chat;
    await env.SENDER.getByName('telegram').add([repeatEvent(eventId, { callerId, part })]);
  };

  /** Sends the event to readers of the message's copies, because Telegram doesn't edit the copies of a deleted message. */
  const sendToReadersOfCopies = async ({ chatId, otherChatId }: ChatRow, eventId: string): Promise<void> => {
    const group = otherChatId === null ? null : await connected.find(otherChatId);
    if (group?.kind === 'group' && group.linkedChatId === chatId) await sendPrivately(group, eventId);
  };

  /** Finds out whether the channel has the call, whose message Telegram copies into the group. */
  const findCopy = async (channelId: string, eventId: string): Promise<SendResult | PostResult> => {
    const [channel, call] = await Promise.all([
      connected.find(channelId),
      repository.find({ eventId, chatId: channelId }),
    ]);
    if (call?.isGone === 1) return GONE;
    // Everybody can read a group that discusses a public channel, so without the channel, nothing is posted in the group.
    return channel !== null && (await checks.check(channel)) ? COPIED : UNREACHABLE;
  };

  const publish = async (
    chat: ChatRow,
    call: PostedCall,
    eventId: string,
  ): Promise<SendResult | PostResult> => {
    if (!(await checks.check(chat))) return UNREACHABLE;
    const { id: callId, copiedTo } = call;
    const { chatId, kind, otherChatId } = chat;
    const isFree = isFreeFee(chat.feeLamports);
    const linkedChatId = (await connected.find(chatId))?.linkedChatId ?? null;
    const isDiscussion = kind === 'group' && linkedChatId !== null && linkedChatId === otherChatId;
    if (call.messageId === null && isDiscussion) return findCopy(linkedChatId, eventId);
    // Editing the message might also edit its copy in a group that others can read now, so post the call again.
    const isCopiedElsewhere = !isFree && copiedTo !== null && copiedTo !== linkedChatId;
    const messageId = isCopiedElsewhere ? null : call.messageId;
    const post = await compose(call, chatId, isFree);
    const result = await (messageId === null ? chats.post(post) : chats.edit({ ...post, messageId }));
    if (result.status === 'message_gone') await repository.forget({ callId, chatId });
    if (result.status === 'sent' && messageId === null) {
      const copiedNowTo = kind === 'channel' ? linkedChatId : null;
      await repository.save({ callId, chatId, messageId: result.messageId, copiedTo: copiedNowTo });
    }
    return result;
  };

  const send = async ({ chatId, tag: eventId = '' }: OutgoingMessage): Promise<SendResult> => {
    const [call, chat] = await Promise.all([repository.find({ eventId, chatId }), connected.find(chatId)]);
    if (call === null || chat === null || !isListed(standingOf(chat))) return UNREACHABLE;
    const result = call.isGone === 1 ? GONE : await publish(chat, call, eventId);
    switch (result.status) {
      case 'message_gone':
        await sendPrivately(chat, eventId);
        await sendToReadersOfCopies(chat, eventId);
        return UNREACHABLE;
      case 'moved':
      case 'unreachable':
        await sendPrivately(chat, eventId);
        return UNREACHABLE;
      default:
        return result;
    }
  };

  return { send };
}

const GONE: PostResult = { status: 'message_gone' };
const UNREACHABLE: SendResult = { status: 'unreachable' };
const COPIED: SendResult = { status: 'sent' };
