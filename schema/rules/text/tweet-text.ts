import { TWEET_MAX_LENGTH } from '#schema/constants/public.ts';
import { weightedLength } from './tweet-weight.ts';
import { trimUnseen } from './visible-text.ts';

export type TweetTextProblem = 'empty' | 'too_long' | 'too_heavy';

/** Since 23 February 2026, X restricts mentions in posts that apps send. It doesn't document which ones, or the error. */
export const MENTION_NOTE =
  'X refuses some posts with a mention (@name) if they come from another site. Remove the mention, or post on X yourself.';

/** By the rules of X's library twitter-text: a mention may follow any character but these, or RT. */
export const hasMention = (text: string): boolean =>
  /(?:(?<![\w!#$%&*@＠])|(?<![\w+~.-])[Rr][Tt])[@＠]\w/.test(text);

/** The number of code points in the trimmed text. */
export function tweetLength(text: string): number {
  return [...trimUnseen(text)].length;
}

export function weightedTweetLength(text: string): number {
  return weightedLength(trimUnseen(text).normalize('NFC'));
}

/** `too_heavy` means at most 280 characters, but over 280 as X counts them. Null if the text is fine. */
export function findTweetTextProblem(text: string): TweetTextProblem | null {
  const trimmed = trimUnseen(text);
  if (trimmed === '') return 'empty';
  // A code point has at most two UTF-16 units, so a very long text needn't be counted.
  if (trimmed.length > 2 * TWEET_MAX_LENGTH || tweetLength(trimmed) > TWEET_MAX_LENGTH) return 'too_long';
  return weightedTweetLength(text) > TWEET_MAX_LENGTH ? 'too_heavy' : null;
}
