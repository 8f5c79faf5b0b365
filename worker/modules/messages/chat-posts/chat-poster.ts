import { isFreeFee } from '#schema/rules/money/lamports.ts';
import { buyUrl } from '#schema/rules/calls/buy-url.ts';
import { isListed } from '#schema/rules/people/standing.ts';
import type { Chats, ChatPost } from '../../../ports/chats.ts';
import type { ChatButton, Messenger, OutgoingMessage, SendResult } from '../../../ports/messenger.ts';
import { standingOf } from '../../../shared/caller-standing.ts';
import type { ChatChecks } from '../chats/chat-checks.ts';
import type { ChatsRepository } from '../chats/chats.repository.ts';
import type { ChatPostsRepository, PostedCall } from './chat-posts.repository.ts';
import { composePostText } from './post-text.ts';

/** More updates than fit into a message, unless they have few characters. */
const MAX_UPDATES = 30;

export interface ChatPosterOptions {
  readonly repository: ChatPostsRepository;
  readonly chats: Pick<Chats, 'post' | 'edit'>;
  readonly connected: Pick<ChatsRepository, 'find'>;
  readonly checks: Pick<ChatChecks, 'check'>;
  readonly appOrigin: string;
}

/**
 * Sends a call's event to a chat: posts the call, or edits its message. Both contain all that has happened to the call
 * so far, so the order of events doesn't matter. Sends to one chat must not overlap.
 */
export function createChatPoster(options: ChatPosterOptions): Pick<Messenger, 'send'> {
  const { repository, chats, connected, checks, appOrigin } = options;

  const compose = async (call: PostedCall, chatId: string, isFree: boolean): Promise<ChatPost> => {
    const newest = await repository.listUpdates(call.id, MAX_UPDATES + 1);
    const callUrl = `${appOrigin}/call/${call.id}`;
    const text = composePostText({
      call,
      updates: newest.slice(0, MAX_UPDATES).toReversed(),
      hasOlderUpdates: newest.length > MAX_UPDATES,
      callUrl,
    });
    return { chatId, text, buttons: buttonsOf({ call, callUrl, appOrigin, isFree }), isProtected: !isFree };
  };

  const send = async ({ chatId, tag: eventId = '' }: OutgoingMessage): Promise<SendResult> => {
    const call = await repository.find({ eventId, chatId });
    if (call === null || call.isGone === 1 || !isListed(standingOf(call))) return { status: 'sent' };
    const chat = await connected.find(chatId);
    if (chat === null || !(await checks.check(chat))) return { status: 'unreachable' };
    const { id: callId, messageId } = call;
    const post = await compose(call, chatId, isFreeFee(chat.feeLamports));
    const result = await (messageId === null ? chats.post(post) : chats.edit({ ...post, messageId }));
    switch (result.status) {
      case 'sent':
        if (messageId === null) await repository.save({ callId, chatId, messageId: result.messageId });
        return { status: 'sent' };
      case 'message_gone':
        await repository.forget({ callId, chatId });
        return { status: 'sent' };
      case 'moved':
      case 'unreachable':
        await checks.check(chat);
        return { status: 'unreachable' };
      default:
        return result;
    }
  };

  return { send };
}

interface ButtonsOptions {
  readonly call: PostedCall;
  readonly callUrl: string;
  readonly appOrigin: string;
  readonly isFree: boolean;
}

/** An ended call has no Buy button. */
function buttonsOf({ call, callUrl, appOrigin, isFree }: ButtonsOptions): ChatButton[][] {
  const buy = call.endedAt === null ? [{ text: 'Buy', url: buyUrl(call.tokenMint) }] : [];
  const subscribe = { text: 'Subscribe', url: `${appOrigin}/caller/${call.callerId}#subscribe` };
  return [[...buy, { text: 'Open', url: callUrl }], ...(isFree ? [] : [[subscribe]])];
}
