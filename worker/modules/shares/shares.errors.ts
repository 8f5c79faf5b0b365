import {
  MINUTE_MS,
  PRODUCT_NAME,
  SECOND_MS,
  SHARE_IMAGE,
  SHARE_IMAGE_MAX_BYTES,
  TWEET_LINK_LENGTH,
  TWEET_MAX_LENGTH,
} from '#schema/constants.ts';
import { TOO_LONG } from '#schema/rules/text-limits.ts';
import { weightedTweetLength, type TweetTextProblem } from '#schema/rules/tweet-text.ts';
import { AppError } from '../../app/errors.ts';
import type { ShareImageProblem } from './png-data-url.ts';

/** Where the person allows posting; the page adds the place to come back to. */
const AUTHORIZE_URL = '/api/auth/twitter?share=1';

export const createSignInToPostError = () =>
  new AppError({ code: 'auth.required', message: 'Please sign in with Twitter to post tweets' });

export const createTweetTextError = ({ problem, text }: { problem: TweetTextProblem; text: string }) => {
  if (problem === 'empty') {
    return new AppError({
      code: 'shares.text_empty',
      message: 'Your tweet needs some text content',
      details: { field: 'text' },
    });
  }
  const asXCounts = () =>
    `As X counts, this is ${weightedTweetLength(text)} characters of at most ${TWEET_MAX_LENGTH}: a link counts ${TWEET_LINK_LENGTH}, an emoji 2, and so does each character of Chinese, Japanese or Korean.`;
  const message = problem === 'too_heavy' ? asXCounts() : TOO_LONG.tweet;
  return new AppError({ code: 'shares.text_too_long', message, details: { field: 'text' } });
};

const IMAGE_WORDS: Readonly<Record<ShareImageProblem, string>> = {
  not_png_data: 'It is not a PNG in base64.',
  not_png: 'It is not a PNG.',
  too_large: 'It is larger.',
  wrong_size: 'It has another size.',
  cut_off: 'Its end is missing.',
  damaged: 'It is damaged.',
  animated: 'It is animated.',
  parts_beside:
    'More than the picture is in it: leave out colour profiles, compressed words and what only some programs know.',
  too_many_parts: 'It is in too many pieces.',
  trailing_bytes: 'Something follows its end.',
};

/** `error.reason` is the problem's name. */
export const createShareImageError = (problem: ShareImageProblem) =>
  new AppError({
    code: 'shares.image_invalid',
    message: `The image must be a PNG of ${SHARE_IMAGE.width}×${SHARE_IMAGE.height} pixels and at most ${SHARE_IMAGE_MAX_BYTES / 1024 / 1024} MB. ${IMAGE_WORDS[problem]}`,
    details: { field: 'imageDataUrl', reason: problem },
  });

/** Where somebody may post by hand what we cannot post for them: X's compose page, which takes the text as `text`. */
interface ByHand {
  readonly composeUrl: string;
}

export const createConsentNeededError = ({ composeUrl }: ByHand) =>
  new AppError({
    code: 'shares.consent_needed',
    message: `Allow ${PRODUCT_NAME} to post on X for you first.`,
    details: { authorizeUrl: AUTHORIZE_URL, composeUrl },
  });

export const createConsentIncompleteError = () =>
  new AppError({
    code: 'shares.consent_incomplete',
    message: `X did not give ${PRODUCT_NAME} leave to post images for you. Nothing was kept; please try again.`,
  });

export const createConsentRefusedError = () =>
  new AppError({
    code: 'auth.attempt_invalid',
    message: 'This request to X has expired or was already used. Nothing was kept; please try again.',
  });

export const createOtherAccountError = ({ handle }: { handle: string }) =>
  new AppError({
    code: 'shares.other_account',
    message: `You allowed posting as @${handle}, but that is not the account you are signed in with here. Nothing was kept. Switch accounts on X and try again.`,
  });

export const createRejectedByXError = ({ detail, composeUrl }: ByHand & { detail: string }) =>
  new AppError({
    code: 'shares.rejected_by_x',
    message: `Failed to post tweet: X refused it. ${detail}`,
    details: { composeUrl },
  });

export const createRateLimitedByXError = ({
  retryAfterSeconds,
  composeUrl,
}: ByHand & { retryAfterSeconds: number }) => {
  const minutes = Math.ceil((retryAfterSeconds * SECOND_MS) / MINUTE_MS);
  return new AppError({
    code: 'shares.rate_limited',
    message: `Failed to post tweet: X takes no more posts for now. Nothing was posted; please try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    details: { composeUrl },
    retryAfterSeconds,
  });
};

export const createUnconfirmedError = () =>
  new AppError({
    code: 'shares.unconfirmed',
    message: 'Failed to post tweet: X did not confirm it. Look at your profile on X before you try again.',
  });
