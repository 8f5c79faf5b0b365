import { TWEET_MAX_LENGTH } from '#schema/constants.ts';
import { trimUnseen } from './visible-text.ts';

export type TweetTextProblem = 'empty' | 'too_long';

/**
 * How long a tweet is: code points, without what is trimmed. X itself weighs (a link counts 23, most
 * of what is not Latin two), so it may still refuse a text that is short enough here.
 */
export function tweetLength(text: string): number {
  return [...trimUnseen(text)].length;
}

/** What is wrong with a tweet's text, or `null`. */
export function findTweetTextProblem(text: string): TweetTextProblem | null {
  const length = tweetLength(text);
  if (length === 0) return 'empty';
  return length > TWEET_MAX_LENGTH ? 'too_long' : null;
}
