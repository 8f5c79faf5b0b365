import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { TWEET_LINK_LENGTH, TWEET_MAX_LENGTH } from '#schema/constants/public.ts';
import { TOO_LONG_MESSAGES } from '#schema/rules/text/text-limits.ts';
import {
  hasMention,
  MENTION_NOTE,
  weightedTweetLength,
  type TweetTextProblem,
} from '#schema/rules/text/tweet-text.ts';
import { RefusedByXError, type XRefusal } from '../../../ports/identity.ts';
import { AppError } from '../../../app/errors.ts';

/** The page adds `returnTo` to this URL. */
const AUTHORIZE_URL = '/api/auth/twitter?share=1';

export const createSignInToPostError = () =>
  new AppError({ code: 'auth.required', message: 'Please sign in with Twitter to post tweets' });

export function createTweetTextError(problem: TweetTextProblem, text: string): AppError {
  const details = { field: 'text' };
  if (problem === 'empty') {
    return new AppError({ code: 'shares.text_empty', details });
  }
  const message = problem === 'too_heavy' ? describeWeight(text) : TOO_LONG_MESSAGES.tweet;
  return new AppError({ code: 'shares.text_too_long', message, details });
}

function describeWeight(text: string): string {
  return (
    `X counts ${weightedTweetLength(text)} characters in this text and allows ${TWEET_MAX_LENGTH}. Shorten it. ` +
    `A link counts as ${TWEET_LINK_LENGTH}, an emoji or a Chinese, Japanese or Korean character as 2.`
  );
}

interface ComposePage {
  readonly composeUrl: string;
}

export const createConsentNeededError = ({ composeUrl }: ComposePage) =>
  new AppError({ code: 'shares.consent_needed', details: { authorizeUrl: AUTHORIZE_URL, composeUrl } });

export const createConsentRefusedError = () =>
  new AppError({
    code: 'auth.attempt_invalid',
    message: 'This permission request has expired or was already used. Nothing was saved. Please try again.',
  });

export const createOtherAccountError = ({ handle }: { handle: string }) =>
  new AppError({
    code: 'shares.other_account',
    message:
      `You allowed posting as @${handle}, but you are signed in here with another account. ` +
      'Nothing was saved. Switch accounts on X and try again.',
  });

interface Rejection extends ComposePage {
  readonly text: string;
  readonly detail: string;
}

export function createRejectedByXError({ text, detail, composeUrl }: Rejection): AppError {
  // X's reason doesn't always end with a full stop.
  const reason = detail.replace(/[^.!?]$/, '$&.');
  const note = hasMention(text) ? ` ${MENTION_NOTE}` : '';
  return new AppError({
    code: 'shares.rejected_by_x',
    message: `Failed to post tweet: X refused it. ${reason}${note}`,
    details: { composeUrl },
  });
}

export const createAppRefusedError = ({ composeUrl, refusal }: ComposePage & { refusal: XRefusal }) =>
  new AppError({
    code: 'shares.x_unavailable',
    message: `Failed to post tweet: ${PRODUCT_NAME} can't post on X at the moment. Nothing was posted.`,
    details: { composeUrl },
    cause: new RefusedByXError(refusal),
  });
