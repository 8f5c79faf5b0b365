import { X_TOKEN_MARGIN_MS } from '#schema/constants.ts';
import type { Clock } from '../../ports/clock.ts';
import type { TweetPoster, XTokens } from '../../ports/tweet-poster.ts';
import { createConsentNeededError } from './shares.errors.ts';
import type { SharesRepository } from './shares.repository.ts';
import type { TokenCipher } from './token-cipher.ts';
import { createTokenRefresh } from './token-refresh.ts';
import { createTokenRevocation } from './token-revocation.ts';

export interface PostingAccessDependencies {
  readonly repository: SharesRepository;
  readonly poster: TweetPoster;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
}

/** Access tokens of users who permit posting. They are stored encrypted, and refreshed when they expire. */
export function createPostingAccess(dependencies: PostingAccessDependencies) {
  const { repository, poster, cipher, clock } = dependencies;
  const revocation = createTokenRevocation(dependencies);
  const { seal, refresh } = createTokenRefresh({ ...dependencies, revocation });

  return {
    /** Saves new tokens, and revokes the ones that they replace, because a later disconnect couldn't find those. */
    async save(userId: string, tokens: XTokens): Promise<void> {
      const replaced = await repository.saveTokens(await seal(userId, tokens));
      if (replaced !== null) await revocation.revokeRow(replaced);
    },

    revoke: revocation.revoke,

    /** Deletes a user's tokens, then revokes them. `confirmed`: X reports that they no longer work. */
    async disconnect(userId: string): Promise<'confirmed' | 'unconfirmed' | 'none'> {
      const row = await repository.takeTokens(userId);
      if (row === null) return 'none';
      return (await revocation.revokeRow(row)) ? 'confirmed' : 'unconfirmed';
    },

    /**
     * A usable access token of a user.
     * @param refused a token that X has just refused, so it counts as expired
     * @throws shares.consent_needed if there is none
     * @throws PortUnavailableError if X doesn't answer the refresh
     */
    async accessToken(userId: string, { refused }: { refused?: string } = {}): Promise<string> {
      for (;;) {
        const row = await repository.findTokens(userId);
        if (!row) throw createConsentNeededError(poster);
        const accessToken = await cipher.decrypt(row.accessTokenCiphertext, userId);
        if (accessToken === null) return revocation.forget(row);
        const isFresh = row.expiresAt - X_TOKEN_MARGIN_MS > clock.now();
        if (isFresh && accessToken !== refused) return accessToken;
        const refreshed = await refresh(row);
        if (refreshed !== null) return refreshed;
      }
    },

    /**
     * Deletes tokens that X refuses although they are fresh.
     * @throws shares.consent_needed
     */
    async giveUp(userId: string, { refused }: { refused: string }): Promise<never> {
      const row = await repository.findTokens(userId);
      // A new consent may have replaced the refused token.
      if (row && (await cipher.decrypt(row.accessTokenCiphertext, userId)) === refused) {
        return revocation.forget(row);
      }
      throw createConsentNeededError(poster);
    },
  };
}
