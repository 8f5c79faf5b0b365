import { MINUTE_MS, PRODUCT_NAME, SECOND_MS, SHARE_IMAGE, SHARE_IMAGE_MAX_BYTES, TWEET_MAX_LENGTH } from '#schema/constants.ts';
import type { TweetTextProblem } from '#schema/rules/tweet-text.ts';
import { AppError } from '../../app/errors.ts';

/** Where the person allows posting; the page adds the place to come back to. */
const AUTHORIZE_URL = '/api/auth/twitter?share=1';

export const createSignInToPostError = () => new AppError({ code: 'auth.required', message: 'Please sign in with Twitter to post tweets' });

export const createTweetTextError = (problem: TweetTextProblem) =>
  problem === 'empty'
    ? new AppError({ code: 'shares.text_empty', message: 'Your tweet needs some text content', details: { field: 'text' } })
    : new AppError({ code: 'shares.text_too_long', message: `A tweet has at most ${TWEET_MAX_LENGTH} characters.`, details: { field: 'text' } });

export const createShareImageError = () =>
  new AppError({
    code: 'shares.image_invalid',
    message: `The image must be a PNG of ${SHARE_IMAGE.width}×${SHARE_IMAGE.height} pixels and at most ${SHARE_IMAGE_MAX_BYTES / 1024 / 1024} MB.`,
    details: { field: 'imageDataUrl' },
  });

export const createConsentNeededError = () =>
  new AppError({ code: 'shares.consent_needed', message: `Allow ${PRODUCT_NAME} to post on X for you first.`, details: { authorizeUrl: AUTHORIZE_URL } });

export const createConsentIncompleteError = () =>
  new AppError({ code: 'shares.consent_incomplete', message: `X did not give ${PRODUCT_NAME} leave to post images for you. Nothing was kept; please try again.` });

export const createConsentRefusedError = () =>
  new AppError({ code: 'auth.attempt_invalid', message: 'This request to X has expired or was already used. Nothing was kept; please try again.' });

export const createOtherAccountError = ({ handle }: { handle: string }) =>
  new AppError({
    code: 'shares.other_account',
    message: `You allowed posting as @${handle}, but that is not the account you are signed in with here. Nothing was kept. Switch accounts on X and try again.`,
  });

export const createRejectedByXError = ({ detail }: { detail: string }) => new AppError({ code: 'shares.rejected_by_x', message: `Failed to post tweet: X refused it. ${detail}` });

export const createRateLimitedByXError = ({ retryAfterSeconds }: { retryAfterSeconds: number }) => {
  const minutes = Math.ceil((retryAfterSeconds * SECOND_MS) / MINUTE_MS);
  return new AppError({
    code: 'shares.rate_limited',
    message: `Failed to post tweet: X takes no more posts for now. Nothing was posted; please try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    retryAfterSeconds,
  });
};

export const createUnconfirmedError = () =>
  new AppError({ code: 'shares.unconfirmed', message: 'Failed to post tweet: X did not confirm it. Look at your profile on X before you try again.' });
