import type { CHAT_KINDS, CHAT_PROBLEMS, TOPIC_PROBLEMS } from '#schema/constants/messages.ts';
import { isFreeFee } from '../money/lamports.ts';

export type ChatKind = (typeof CHAT_KINDS)[number];
export type ChatProblem = (typeof CHAT_PROBLEMS)[number];
export type TopicProblem = (typeof TOPIC_PROBLEMS)[number];

export interface CallersChat {
  readonly kind: ChatKind;
  /** Time since when the caller has wanted access to be for subscribers only. */
  readonly paidSince: number | null;
  readonly feeLamports: bigint;
  /** The time when the caller last went from Free to Paid; 0 if never. */
  readonly chargesSince: number;
  readonly otherChatId: string | null;
  readonly topicProblem: TopicProblem | null;
}

export interface BotRights {
  readonly canPost: boolean;
  readonly canInvite: boolean;
  readonly canRemove: boolean;
}

export interface ChatFacts {
  /** A group that Telegram hasn't made a supergroup: its id will change, and nobody can be removed from it. */
  readonly isBasicGroup: boolean;
  /** The group has topics. */
  readonly isForum: boolean;
  readonly username: string | null;
  /** The discussion group of a channel, or the channel of a discussion group. */
  readonly linkedChatId: string | null;
  readonly rights: BotRights | null;
}

/** `gone`: the messenger knows no such chat (anymore). */
export type Found<Facts> = Facts | 'bot_removed' | 'gone';

interface ChatNow {
  readonly chat: CallersChat;
  readonly facts: Found<ChatFacts>;
  readonly isDiscussionAllowed: boolean;
}

/**
 * Calls may be posted in chats with these problems. Without the right to invite, the bot lets nobody in, but
 * members may read.
 */
export const ALLOWS_POSTS: ReadonlySet<ChatProblem | null> = new Set([null, 'no_invite_right']);

export const needsPaidConfirmation = ({
  feeLamports,
  paidSince,
  chargesSince,
}: Pick<CallersChat, 'feeLamports' | 'paidSince' | 'chargesSince'>): boolean =>
  !isFreeFee(feeLamports) && (paidSince === null || paidSince < chargesSince);

export function findChatProblem({ chat, facts, isDiscussionAllowed }: ChatNow): ChatProblem | null {
  if (typeof facts === 'string') return facts;
  const { rights } = facts;
  if (facts.isBasicGroup) return 'basic_group';
  if (!rights?.canPost) return 'no_post_right';
  if (facts.isForum && chat.topicProblem !== null) return chat.topicProblem;
  if (isFreeFee(chat.feeLamports)) return null;
  if (needsPaidConfirmation(chat)) return 'unconfirmed';
  if (facts.username !== null) return 'public';
  // A channel's posts also appear in its discussion group, but not the other way round.
  const isDiscussed = chat.kind === 'channel' && facts.linkedChatId !== null;
  if (isDiscussed && facts.linkedChatId !== chat.otherChatId) return 'discussion_not_connected';
  if (isDiscussed && !isDiscussionAllowed) return 'discussion_problem';
  if (!rights.canRemove) return 'no_remove_right';
  return rights.canInvite ? null : 'no_invite_right';
}

export const isPosting = (chat: CallersChat & { readonly problem: ChatProblem | null }): boolean =>
  ALLOWS_POSTS.has(chat.problem) && !needsPaidConfirmation(chat);

export const mayPost = (now: ChatNow): boolean => ALLOWS_POSTS.has(findChatProblem(now));
