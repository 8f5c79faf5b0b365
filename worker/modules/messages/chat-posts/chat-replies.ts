import { isFreeFee } from '#schema/rules/money/lamports.ts';
import type { PostResult } from '../../../adapters/telegram-chats.ts';
import type { Base } from '../../../app/base.ts';
import type { SendResult } from '../../../ports/messenger.ts';
import type { ChatRow } from '../chats/chats.repository.ts';
import { readEventId } from '../facts/repeated-events.ts';
import { createCallEventsRepository, type CallEventRow } from '../notifications/call-events.repository.ts';
import type { PostedCall } from './chat-posts.repository.ts';
import { createChatRepliesRepository } from './chat-replies.repository.ts';
import { composeReply, packReplies, type Reply } from './reply-text.ts';

interface NewsQuery {
  readonly chatId: string;
  readonly sentId: string;
  readonly waiting: readonly string[];
  readonly isBurst: boolean;
}

/** The event that is sent to a chat, and what the chat's members don't know yet. */
export interface News {
  readonly eventId: string;
  /** The event was told before, and a text of it was hidden or shown since. */
  readonly isRenewed: boolean;
  /** The event, unless it was told, and the untold ones that wait for the chat. */
  readonly untold: readonly CallEventRow[];
  /** All untold events become one reply. */
  readonly isBurst: boolean;
  /** An event of the same call waits, with which the call's message is edited. */
  readonly isEditedLater: boolean;
}

interface NewReplies {
  readonly chat: ChatRow;
  readonly call: PostedCall;
  /** The call's message. Null if it's gone. */
  readonly messageId: number | null;
  readonly news: News;
}

/** Tells a chat's members of events by replies to the calls' messages. Each event is told once. */
export function createChatReplies({ db, chats }: Pick<Base, 'db' | 'chats'>) {
  const events = createCallEventsRepository(db);
  const repository = createChatRepliesRepository(db);

  /** Edits the reply with an event. */
  const renew = async ({ chat, news }: NewReplies): Promise<SendResult | PostResult> => {
    const { chatId } = chat;
    const reply = await repository.findReply({ chatId, eventId: news.eventId });
    if (reply === null) return SENT;
    const [packed] = packReplies(textsOf(await events.list(reply.eventIds)));
    if (packed === undefined) return SENT;
    const { messageId } = reply;
    const edit = { chatId, messageId, text: packed.text, buttons: [], isProtected: false };
    const result = await chats.edit(edit);
    return result.status === 'message_gone' ? SENT : result;
  };

  return {
    save: repository.save,

    async read({ chatId, sentId, waiting, isBurst }: NewsQuery): Promise<News> {
      const { eventId, part } = readEventId(sentId);
      const ids = new Set([eventId, ...waiting.map((id) => readEventId(id).eventId)]);
      const [found, told] = await Promise.all([
        events.list([...ids]),
        repository.listTold({ chatId, eventIds: [...ids] }),
      ]);
      const isOwn = (event: CallEventRow) => event.eventId === eventId;
      const own = found.find(isOwn);
      const isRenewed = part !== null;
      return {
        eventId,
        isRenewed,
        untold: found.filter((event) => !told.has(event.eventId) && !(isRenewed && isOwn(event))),
        isBurst,
        isEditedLater: found.some((event) => !isOwn(event) && event.callId === own?.callId),
      };
    },

    async send(replies: NewReplies): Promise<SendResult | PostResult> {
      const { chat, call, messageId, news } = replies;
      if (news.isRenewed) return renew(replies);
      const { chatId, topicId, feeLamports } = chat;
      const due = news.isBurst ? news.untold : news.untold.filter(({ eventId }) => eventId === news.eventId);
      const isOfCall = due.every(({ callId }) => callId === call.id);
      const options = { isProtected: !isFreeFee(feeLamports), replyTo: isOfCall ? messageId : null };
      for (const { eventIds, text } of packReplies(textsOf(due))) {
        const result = await chats.post({ chatId, topicId, text, buttons: [], ...options });
        if (result.status !== 'sent') return result;
        await repository.save({ chatId, eventIds, messageId: result.messageId });
      }
      return SENT;
    },
  };
}

const textsOf = (events: readonly CallEventRow[]): Reply[] =>
  events.flatMap((event) => {
    const text = composeReply(event);
    return text === null ? [] : [{ eventIds: [event.eventId], text }];
  });

const SENT: SendResult = { status: 'sent' };
