import { isPosting } from '#schema/rules/access/telegram-chats.ts';
import { isFreeFee } from '#schema/rules/money/lamports.ts';
import { isListed } from '#schema/rules/people/standing.ts';
import type { Chats, ChatPost, PostResult } from '../../../ports/chats.ts';
import type { Messenger, OutgoingMessage, SendResult } from '../../../ports/messenger.ts';
import type { Outbox } from '../../../ports/outbox.ts';
import { callButtons } from '../../../shared/call-buttons.ts';
import { repeatedEventId } from '../../../shared/call-events.ts';
import { standingOf } from '../../../shared/caller-standing.ts';
import type { ChatChecks } from '../chats/chat-checks.ts';
import type { ChatRow, ChatsRepository } from '../chats/chats.repository.ts';
import type { ChatPostsRepository, PostedCall } from './chat-posts.repository.ts';
import { composePostText } from './post-text.ts';

/** More updates than fit into a message, unless they have few characters. */
const MAX_UPDATES = 30;

export interface ChatPosterOptions {
  readonly repository: ChatPostsRepository;
  readonly chats: Pick<Chats, 'post' | 'edit'>;
  readonly connected: Pick<ChatsRepository, 'find'>;
  readonly checks: Pick<ChatChecks, 'check'>;
  /** The sender to private chats, which leaves out followers who are in a chat where calls are posted. */
  readonly privateOutbox: () => Pick<Outbox, 'add'>;
  readonly appOrigin: string;
}

/**
 * Sends a call's event to a chat: posts the call, or edits its message. Both contain all that has happened to the call
 * so far, so the order of events doesn't matter. Sends to one chat must not overlap. If the call can't be posted or edited
 * anymore, the followers in the chat get the event in their private chats.
 */
export function createChatPoster(options: ChatPosterOptions): Pick<Messenger, 'send'> {
  const { repository, chats, connected, checks, privateOutbox, appOrigin } = options;

  const compose = async (call: PostedCall, chatId: string, isFree: boolean): Promise<ChatPost> => {
    const newest = await repository.listUpdates(call.id, MAX_UPDATES + 1);
    const callUrl = `${appOrigin}/call/${call.id}`;
    const text = composePostText({
      call,
      updates: newest.slice(0, MAX_UPDATES).toReversed(),
      hasOlderUpdates: newest.length > MAX_UPDATES,
      callUrl,
    });
    const subscribe = { text: 'Subscribe', url: `${appOrigin}/caller/${call.callerId}#subscribe` };
    const rows = [callButtons({ mint: call.endedAt === null ? call.tokenMint : null, url: callUrl })];
    return { chatId, text, buttons: isFree ? rows : [...rows, [subscribe]], isProtected: !isFree };
  };

  /** Sends the event to followers in the chat, who got no private message because calls are posted there. */
  const tellPrivately = async (chat: ChatRow, eventId: string): Promise<void> => {
    const id = repeatedEventId(eventId, chat.chatId);
    // Otherwise, they did get a private message.
    if (isPosting(chat)) await privateOutbox().add([{ kind: 'call_event', id }]);
  };

  /** Telegram doesn't edit the copies of a deleted message. */
  const tellReadersOfCopies = async ({ chatId, otherChatId }: ChatRow, eventId: string): Promise<void> => {
    const group = otherChatId === null ? null : await connected.find(otherChatId);
    if (group?.kind === 'group' && group.linkedChatId === chatId) await tellPrivately(group, eventId);
  };

  /** The caller's channel whose messages Telegram copies into this group, which has just been checked. */
  const findChannelOf = async ({ chatId, kind }: ChatRow): Promise<ChatRow | null> => {
    if (kind !== 'group') return null;
    const group = await connected.find(chatId);
    const channelId = group?.linkedChatId ?? null;
    return channelId !== null && channelId === group?.otherChatId ? connected.find(channelId) : null;
  };

  const publish = async (
    chat: ChatRow,
    call: PostedCall,
    eventId: string,
  ): Promise<SendResult | PostResult> => {
    if (!(await checks.check(chat))) return UNREACHABLE;
    const { id: callId, messageId } = call;
    const { chatId } = chat;
    const channel = messageId === null ? await findChannelOf(chat) : null;
    if (channel !== null) {
      const copied = await repository.find({ eventId, chatId: channel.chatId });
      if (copied?.isGone === 1) return GONE;
      // Everybody can read a group that discusses a public channel, so without the channel, nothing is posted here.
      return (await checks.check(channel)) ? COPIED : UNREACHABLE;
    }
    const post = await compose(call, chatId, isFreeFee(chat.feeLamports));
    const result = await (messageId === null ? chats.post(post) : chats.edit({ ...post, messageId }));
    if (result.status === 'message_gone') await repository.forget({ callId, chatId });
    if (result.status === 'sent' && messageId === null) {
      await repository.save({ callId, chatId, messageId: result.messageId });
    }
    return result;
  };

  const send = async ({ chatId, tag: eventId = '' }: OutgoingMessage): Promise<SendResult> => {
    const [call, chat] = await Promise.all([repository.find({ eventId, chatId }), connected.find(chatId)]);
    if (call === null || chat === null || !isListed(standingOf(chat))) return UNREACHABLE;
    const result = call.isGone === 1 ? GONE : await publish(chat, call, eventId);
    switch (result.status) {
      case 'message_gone':
        await tellPrivately(chat, eventId);
        await tellReadersOfCopies(chat, eventId);
        return UNREACHABLE;
      case 'moved':
      case 'unreachable':
        await tellPrivately(chat, eventId);
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
