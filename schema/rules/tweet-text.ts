import { TWEET_MAX_LENGTH } from '#schema/constants.ts';
import { weigh } from './tweet-weight.ts';
import { trimUnseen } from './visible-text.ts';

export type TweetTextProblem = 'empty' | 'too_long' | 'too_heavy';

/** How long a tweet is: code points, without what is trimmed. */
export function tweetLength(text: string): number {
  return [...trimUnseen(text)].length;
}

/**
 * How long X itself says a tweet is, without what is trimmed: a link counts 23, an emoji and most of what is not Latin two.
 * X takes no more than it takes of characters.
 */
export function weightedTweetLength(text: string): number {
  return weigh(trimUnseen(text).normalize('NFC'));
}

/** What is wrong with a tweet's text, or `null`. `too_heavy`: short enough here, too long as X counts. */
export function findTweetTextProblem(text: string): TweetTextProblem | null {
  const seen = trimUnseen(text);
  if (seen === '') return 'empty';
  // A character is at most two units: of a whole book nobody counts the characters, nor weighs them.
  if (seen.length > 2 * TWEET_MAX_LENGTH || tweetLength(seen) > TWEET_MAX_LENGTH) return 'too_long';
  return weightedTweetLength(text) > TWEET_MAX_LENGTH ? 'too_heavy' : null;
}
