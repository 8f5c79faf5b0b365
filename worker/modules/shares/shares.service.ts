import { PRODUCT_NAME } from '#schema/constants.ts';
import type { DisconnectXAnswer, TwitterPostAnswer, TwitterPostBody } from '#schema/contracts/shares.ts';
import { findTweetTextProblem } from '#schema/rules/tweet-text.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PostResult, TweetPoster } from '../../ports/tweet-poster.ts';
import { PortUnavailableError } from '../../ports/unavailable.ts';
import { createXAttempt, type XAttempt } from '../../app/x-attempt.ts';
import { readShareImage } from './png-data-url.ts';
import { createPostingAccess } from './posting-access.ts';
import {
  createConsentIncompleteError,
  createConsentRefusedError,
  createOtherAccountError,
  createRateLimitedByXError,
  createRejectedByXError,
  createShareImageError,
  createTweetTextError,
  createUnconfirmedError,
} from './shares.errors.ts';
import type { SharesRepository } from './shares.repository.ts';
import type { TokenCipher } from './token-cipher.ts';

const NEEDED_SCOPES = ['tweet.write', 'media.write'];

const LEAVE_IS_OVER = `${PRODUCT_NAME} can no longer post on X for you.`;
/* A post that X is being asked for meanwhile has its token already. */
const LEAVE_IS_FORGOTTEN = `${PRODUCT_NAME} starts no more posts on X for you. X has not confirmed that it ended the permission: a post already on its way may still appear. You can remove the permission on X too, among your connected apps.`;
/* Who asks twice hears of the first time's doings there: X was asked nothing now, and may not have answered yet. */
const NO_LEAVE = `${PRODUCT_NAME} holds no permission to post on X for you. What X itself still lists stands there among your connected apps.`;

/** Throws `users.not_a_caller` for who is none. */
export interface SharerPort {
  assertIsCaller(userId: string): Promise<void>;
}

export interface SharesDependencies {
  readonly repository: SharesRepository;
  readonly sharers: SharerPort;
  readonly poster: TweetPoster;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
}

export function createSharesService({ repository, sharers, poster, cipher, clock }: SharesDependencies) {
  const access = createPostingAccess({ repository, poster, cipher, clock });

  /** Posts; an access token that X refuses is refreshed once. */
  const post = async (userId: string, tweet: { text: string; pngBase64: string }): Promise<PostResult> => {
    const accessToken = await access.accessToken(userId);
    const result = await poster.post({ accessToken, ...tweet });
    if (result.outcome !== 'unauthorized') return result;
    const freshToken = await access.accessToken(userId, { refused: accessToken });
    const again = await poster.post({ accessToken: freshToken, ...tweet });
    return again.outcome === 'unauthorized' ? access.giveUp(userId, { refused: freshToken }) : again;
  };

  return {
    /** Posts a caller's text and share image on X, in their name. */
    async post({ userId, body }: { userId: string; body: TwitterPostBody }): Promise<TwitterPostAnswer> {
      await sharers.assertIsCaller(userId);
      const problem = findTweetTextProblem(body.text);
      if (problem !== null) throw createTweetTextError({ problem, text: body.text });
      const image = readShareImage(body.imageDataUrl);
      if ('problem' in image) throw createShareImageError(image.problem);
      const { composeUrl } = poster;
      const result = await post(userId, { text: body.text.trim(), pngBase64: image.base64 }).catch(
        (error: unknown) => {
          throw error instanceof PortUnavailableError
            ? new PortUnavailableError(error.port, error.cause, { composeUrl })
            : error;
        },
      );
      if (result.outcome === 'rejected') throw createRejectedByXError({ ...result, composeUrl });
      if (result.outcome === 'rate_limited') throw createRateLimitedByXError({ ...result, composeUrl });
      if (result.outcome !== 'posted') throw createUnconfirmedError();
      return { tweetUrl: result.tweetUrl };
    },

    /** Begins to ask for leave to post: where to send the browser, and what its cookie has to remember. */
    startConsent(): { url: URL; attempt: XAttempt } {
      const attempt = createXAttempt();
      return { url: poster.consentUrl(attempt), attempt };
    },

    /**
     * Keeps the leave to post that somebody gave on X, if it is the account they are signed in with here. What is not kept is ended at X.
     * @throws auth.attempt_invalid, shares.other_account, shares.consent_incomplete
     */
    async keepConsent({
      userId,
      code,
      codeVerifier,
    }: {
      userId: string;
      code: string;
      codeVerifier: string;
    }): Promise<void> {
      const granted = await poster.redeem({ code, codeVerifier });
      if (granted === null) throw createConsentRefusedError();
      try {
        if (granted.xUserId !== (await repository.findXUserId(userId))) {
          throw createOtherAccountError(granted);
        }
        if (!NEEDED_SCOPES.every((scope) => granted.tokens.scopes.includes(scope))) {
          throw createConsentIncompleteError();
        }
        await access.save(userId, granted.tokens);
      } catch (error) {
        await access.revoke(granted.tokens);
        throw error;
      }
    },

    /** Takes the leave to post back: forgotten here at once, and ended at X where X answers. Doing it twice is no error. */
    async disconnect(userId: string): Promise<DisconnectXAnswer> {
      const isRevoked = await access.disconnect(userId);
      const message = isRevoked === null ? NO_LEAVE : isRevoked ? LEAVE_IS_OVER : LEAVE_IS_FORGOTTEN;
      return { message, isRevokedOnX: isRevoked === true };
    },
  };
}
