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
import { createChatReplies, type News } from './chat-replies.ts';
import { composePostText } from './post-text.ts';

/** More updates than fit into a message, unless they have few characters. */
const MAX_UPDATES = 30;

export interface ChatPosterOptions extends Pick<Base, 'db' | 'env' | 'chats' | 'vars'> {
  readonly checks: ChatChecks;
}

interface Posting {
  readonly chat: ChatRow;
  readonly call: PostedCall;
  readonly news: News;
}

/**
 * Sends a call's event to a chat: posts the call, or replies to its message and edits it. The message contains all that has
 * happened to the call so far, so the order of events doesn't matter. Telegram notifies nobody of an edit, so each event is a
 * reply, too. Sends to one chat must not overlap. If nothing may be posted, the followers in the chat get the event in their
 * private chats.
 */
export function createChatPoster(options: ChatPosterOptions): Pick<Messenger, 'send'> {
  const { db, env, checks } = options;
  const repository = createChatPostsRepository(db);
  const connected = createChatsRepository(db);
  const replies = createChatReplies(options);

  const { postCall, editCall } = createCallPosts(options, replies);

  /**
   * Sends these events to followers in the chat who got no private message, because calls were to be posted there. Events that
   * wait for the chat aren't posted there later.
   */
  const sendPrivately = async (chat: ChatRow, { untold }: News): Promise<void> => {
    const { callerId, chatId } = chat;
    const eventIds = untold.map(({ eventId }) => eventId);
    if (eventIds.length === 0) return;
    const events = eventIds.map((eventId) => repeatEvent(eventId, { callerId, part: chatId }));
    await env.SENDER.getByName('telegram').add(events);
    await replies.save({ chatId, eventIds, messageId: null });
  };

  /** Finds out whether the channel gets the event, whose messages Telegram copies into the group. */
  const isCopied = async (channelId: string): Promise<boolean> => {
    const channel = await connected.find(channelId);
    // Everybody can read a group that discusses a public channel, so without the channel, nothing is posted in the group.
    return channel !== null && checks.check(channel);
  };

  const publish = async (posting: Posting): Promise<SendResult | PostResult> => {
    const { chat, call, news } = posting;
    if (!(await checks.check(chat))) return UNREACHABLE;
    const { kind, otherChatId, chatId } = chat;
    const linkedChatId = (await connected.find(chatId))?.linkedChatId ?? null;
    const isDiscussion = kind === 'group' && linkedChatId !== null && linkedChatId === otherChatId;
    if (isDiscussion && !(await isCopied(linkedChatId))) return UNREACHABLE;
    if (isDiscussion && call.messageId === null) return SENT;
    // Editing the message might also edit its copy in a group that others can read now, so post the call again.
    const isCopiedElsewhere =
      !isFreeFee(chat.feeLamports) && call.copiedTo !== null && call.copiedTo !== linkedChatId;
    if (call.isGone === 0 && (call.messageId === null || isCopiedElsewhere)) {
      const posted = await postCall(posting, linkedChatId);
      if (posted.result.status !== 'sent') return posted.result;
      return replies.send({ ...posting, messageId: posted.result.messageId, news: posted.news });
    }
    const { messageId } = call;
    const told = isDiscussion ? SENT : await replies.send({ ...posting, messageId });
    if (told.status !== 'sent' || messageId === null || news.isEditedLater) return told;
    return editCall(posting, messageId);
  };

  const send = async (message: OutgoingMessage): Promise<SendResult> => {
    const { chatId: sentTo, tag: eventId = '', waiting = [], isBurst = false } = message;
    // The chat may have become a supergroup, with another id, while the message waited.
    const chat = await connected.findEarlier(sentTo);
    if (chat === null || !isListed(standingOf(chat))) return UNREACHABLE;
    const { chatId } = chat;
    const readNews = () => replies.read({ chatId, sentId: eventId, waiting, isBurst });
    const [call, news] = await Promise.all([repository.find({ eventId, chatId }), readNews()]);
    if (call === null) return UNREACHABLE;
    const result = await publish({ chat, call, news });
    switch (result.status) {
      case 'moved':
        await connected.migrate({ from: chatId, to: result.newChatId });
        return send(message);
      case 'topic_refused': {
        const topicProblem = result.problem;
        await connected.changeTopic({ ...chat, topicProblem });
        await checks.check({ ...chat, topicProblem });
        await sendPrivately(chat, await readNews());
        return UNREACHABLE;
      }
      case 'unreachable':
        // Some events may have been told before the chat got no more.
        await sendPrivately(chat, await readNews());
        return UNREACHABLE;
      case 'message_gone':
        return SENT;
      default:
        return result;
    }
  };

  return { send };
}

/** The calls' own messages. */
function createCallPosts(
  { db, chats, vars }: ChatPosterOptions,
  replies: Pick<ReturnType<typeof createChatReplies>, 'save'>,
) {
  const repository = createChatPostsRepository(db);

  const compose = async (call: PostedCall, chat: ChatRow): Promise<ChatPost> => {
    const { chatId, topicId } = chat;
    const isFree = isFreeFee(chat.feeLamports);
    const newest = await repository.listUpdates(call.id, MAX_UPDATES + 1);
    const callUrl = `${vars.APP_ORIGIN}/call/${call.id}`;
    const text = composePostText({
      call,
      updates: newest.slice(0, MAX_UPDATES).toReversed(),
      hasOlderUpdates: newest.length > MAX_UPDATES,
      callUrl,
    });
    const subscribe = { text: 'Subscribe', url: `${vars.APP_ORIGIN}/caller/${call.callerId}#subscribe` };
    const rows = [callButtons({ mint: call.tokenMint, canBuy: call.endedAt === null, url: callUrl })];
    return { chatId, topicId, text, buttons: isFree ? rows : [...rows, [subscribe]], isProtected: !isFree };
  };

  /** Posts a call that the chat doesn't have. Its message tells what it contains. */
  const postCall = async ({ chat, call, news }: Posting, linkedChatId: string | null) => {
    const { chatId, kind } = chat;
    const post = await compose(call, chat);
    const result = await chats.post(post);
    if (result.status !== 'sent') return { result, news };
    const { messageId } = result;
    const copiedTo = kind === 'channel' ? linkedChatId : null;
    await repository.save({ callId: call.id, chatId, messageId, copiedTo });
    const isTold = ({ kind: event, callId, message }: News['untold'][number]) =>
      callId === call.id && (event !== 'call_update' || post.text.includes(message ?? ''));
    const eventIds = news.untold.filter(isTold).map(({ eventId }) => eventId);
    await replies.save({ chatId, eventIds, messageId: null });
    return { result, news: { ...news, untold: news.untold.filter((event) => !isTold(event)) } };
  };

  const editCall = async ({ chat, call }: Posting, messageId: number): Promise<SendResult | PostResult> => {
    const { chatId } = chat;
    const post = await compose(call, chat);
    const result = await chats.edit({ ...post, messageId });
    if (result.status !== 'message_gone') return result;
    await repository.forget({ callId: call.id, chatId });
    return SENT;
  };

  return { postCall, editCall };
}

const UNREACHABLE: SendResult = { status: 'unreachable' };
const SENT: SendResult = { status: 'sent' };
