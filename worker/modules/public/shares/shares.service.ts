import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import {
  SHARE_IMAGE_PREFIX,
  type DisconnectXResponse,
  type TwitterPostResponse,
  type TwitterPostBody,
} from '#schema/contracts/shares.ts';
import { findTweetTextProblem } from '#schema/rules/text/tweet-text.ts';
import { AppError, nullOnErrorCode } from '../../../app/errors.ts';
import type { PostResult } from '../../../adapters/x-tweets.ts';
import { RefusedByXError, type OAuthResponse } from '../../../ports/identity.ts';
import { PortUnavailableError } from '../../../ports/unavailable.ts';
import { toBase64 } from '../../../shared/base64.ts';
import type { Session } from '../../people/auth/auth.service.ts';
import { readCallId } from './png-call-id.ts';
import { createPostingAccess, type PostingAccessDependencies } from './posting-access.ts';
import {
  createConsentRefusedError,
  createOtherAccountError,
  createAppRefusedError,
  createRejectedByXError,
  createTweetTextError,
} from './shares.errors.ts';
import type { PublicOptions } from '../public-options.ts';
import type { ShareImageService } from './share-image.service.ts';

const NEEDED_SCOPES = ['tweet.write', 'media.write'];

const DISCONNECTED = {
  confirmed: `${PRODUCT_NAME} can no longer post on X for you.`,
  // X may still publish a post that is in progress, because X has already received its token.
  unconfirmed:
    `${PRODUCT_NAME} won't start new posts on X for you. X hasn't confirmed that the permission ended, so a post already ` +
    'on its way may still appear. You can also remove the permission on X, under connected apps.',
  // Claims no revocation at X, because an earlier request to disconnect may still be waiting for X's response.
  none: `${PRODUCT_NAME} has no permission to post on X for you. X may still list it under connected apps.`,
} as const;

interface SharesDependencies
  extends PostingAccessDependencies, Pick<PublicOptions, 'callerGuard' | 'pauses'> {
  readonly images: ShareImageService;
}

export function createSharesService({ callerGuard, images, pauses, ...dependencies }: SharesDependencies) {
  const { repository, poster } = dependencies;
  const access = createPostingAccess(dependencies);
  const { composeUrl } = poster;

  /** Posts a tweet. If X refuses the access token, refreshes it once and tries again. */
  const send = async (userId: string, tweet: { text: string; pngBase64: string }): Promise<PostResult> => {
    const accessToken = await access.accessToken(userId);
    const result = await poster.post({ accessToken, ...tweet });
    if (result.outcome !== 'unauthorized') return result;
    const freshToken = await access.accessToken(userId, { refused: accessToken });
    const retried = await poster.post({ accessToken: freshToken, ...tweet });
    return retried.outcome === 'unauthorized' ? access.endRefused(userId, { refused: freshToken }) : retried;
  };

  return {
    async post({ userId, body }: { userId: string; body: TwitterPostBody }): Promise<TwitterPostResponse> {
      await callerGuard.assertIsCaller(userId);
      await pauses.assertRunning('posting');
      const problem = findTweetTextProblem(body.text);
      if (problem !== null) throw createTweetTextError(problem, body.text);
      const pngBase64 = await redraw({ images, userId, imageDataUrl: body.imageDataUrl });
      const result = await send(userId, { text: body.text.trim(), pngBase64 }).catch((error: unknown) => {
        if (error instanceof RefusedByXError) return error.refusal;
        if (!(error instanceof PortUnavailableError)) throw error;
        throw new AppError({ code: 'shares.x_unavailable', cause: error.cause, details: { composeUrl } });
      });
      if (result.outcome === 'rejected') {
        throw createRejectedByXError({ ...result, text: body.text, composeUrl });
      }
      if (result.outcome === 'app_refused') throw createAppRefusedError({ composeUrl, refusal: result });
      if (result.outcome === 'rate_limited') {
        const waitMs = result.retryAfterSeconds * SECOND_MS;
        throw new AppError({ code: 'shares.rate_limited', waitMs, details: { composeUrl } });
      }
      if (result.outcome !== 'posted') throw new AppError({ code: 'shares.unconfirmed' });
      return { tweetUrl: result.tweetUrl };
    },

    startConsent: poster.startConsent,

    /**
     * Stores the permission to post from the user's own X account. If the permission is for another X account, revokes
     * it at X instead of storing it.
     * @throws auth.attempt_invalid, auth.required, shares.other_account, shares.consent_incomplete
     */
    async storeConsent(session: Session, response: OAuthResponse): Promise<void> {
      const granted = await poster.redeem(response);
      if (granted === null) throw createConsentRefusedError();
      try {
        const isSameAccount = granted.xUserId === (await repository.findXUserId(session.userId));
        if (!isSameAccount) throw createOtherAccountError(granted);
        const isComplete = NEEDED_SCOPES.every((scope) => granted.tokens.scopes.includes(scope));
        if (!isComplete) throw new AppError({ code: 'shares.consent_incomplete' });
        await access.save(session, granted.tokens);
      } catch (error) {
        await access.revoke(granted.tokens);
        throw error;
      }
    },

    /** Revokes at X what was deleted in our database. */
    revokeTokens: access.revokeRow,

    /** Deletes the posting permission in our database at once, then revokes it at X. Can be repeated. */
    async disconnect(userId: string): Promise<DisconnectXResponse> {
      const result = await access.disconnect(userId);
      return { message: DISCONNECTED[result], isRevokedOnX: result === 'confirmed' };
    },
  };
}

interface Redrawing extends Pick<SharesDependencies, 'images'> {
  readonly userId: string;
  readonly imageDataUrl: string;
}

/**
 * Draws the image again and compares it with the image in the request. Returns it as base64.
 * @throws shares.image_changed unless both images have the same bytes
 * @throws calls.not_yours
 */
async function redraw({ images, userId, imageDataUrl }: Redrawing): Promise<string> {
  const callId = readCallId(imageDataUrl);
  const image = callId === null ? null : await nullOnErrorCode('calls.not_found', images.drawCall(callId));
  if (image === null) throw new AppError({ code: 'shares.image_changed' });
  if (image.callerId !== userId) {
    throw new AppError({ code: 'calls.not_yours', message: 'You can only post your own calls.' });
  }
  const pngBase64 = toBase64(image.png);
  const drawn = `${SHARE_IMAGE_PREFIX}${pngBase64}`;
  // The current image is for a new preview.
  if (drawn !== imageDataUrl) {
    throw new AppError({ code: 'shares.image_changed', details: { imageDataUrl: drawn } });
  }
  return pngBase64;
}
