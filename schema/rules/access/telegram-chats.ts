import type { CHAT_KINDS, CHAT_PROBLEMS } from '#schema/constants.ts';
import { isFreeFee } from '../money/lamports.ts';

export type ChatKind = (typeof CHAT_KINDS)[number];
export type ChatProblem = (typeof CHAT_PROBLEMS)[number];

/** A caller's channel or group. Times are unix ms. */
export interface CallersChat {
  readonly kind: ChatKind;
  readonly isConnected: boolean;
  /** Time since when the caller has wanted access to be for subscribers only. */
  readonly paidSince: number | null;
  readonly feeLamports: bigint;
  /** The time when the caller last went from Free to Paid; 0 if never. */
  readonly chargesSince: number;
  /** The caller's connected chat of the other kind. */
  readonly otherChatId: string | null;
}

/** Telegram's facts about a chat now. */
interface ChatFacts {
  readonly isBasicGroup: boolean;
  readonly username: string | null;
  readonly linkedChatId: string | null;
  readonly rights: {
    readonly canPost: boolean;
    readonly canInvite: boolean;
    readonly canRemove: boolean;
  } | null;
}

interface ChatNow {
  readonly chat: CallersChat;
  readonly facts: ChatFacts | 'bot_removed' | 'gone';
  /** Whether calls may be posted in the connected discussion group of a channel. */
  readonly isDiscussionAllowed: boolean;
}

/** Without the right to invite, the bot lets nobody in, but those who are in may read. */
export const ALLOWS_POSTS: ReadonlySet<ChatProblem | null> = new Set([null, 'no_invite_right']);

/** Returns whether a Paid caller must still confirm that the chat is for subscribers only. */
export const needsPaidConfirmation = ({
  feeLamports,
  paidSince,
  chargesSince,
}: Pick<CallersChat, 'feeLamports' | 'paidSince' | 'chargesSince'>): boolean =>
  !isFreeFee(feeLamports) && (paidSince === null || paidSince < chargesSince);

/** Returns the most serious problem of a chat, or null. */
export function findChatProblem({ chat, facts, isDiscussionAllowed }: ChatNow): ChatProblem | null {
  if (typeof facts === 'string') return facts;
  const { rights } = facts;
  if (facts.isBasicGroup) return 'basic_group';
  if (!rights?.canPost) return 'no_post_right';
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

/** Returns whether calls are posted in a chat, by the problem that its last check found. */
export const isPosting = (chat: CallersChat & { readonly problem: ChatProblem | null }): boolean =>
  chat.isConnected && ALLOWS_POSTS.has(chat.problem) && !needsPaidConfirmation(chat);

/** Returns whether the bot may post calls in a chat. */
export const mayPost = (now: ChatNow): boolean =>
  now.chat.isConnected && ALLOWS_POSTS.has(findChatProblem(now));
