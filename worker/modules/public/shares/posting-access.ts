import { X_TOKEN_MARGIN_MS } from '#schema/constants.ts';
import type { XTokens } from '../../../ports/tweet-poster.ts';
import { createConsentNeededError } from './shares.errors.ts';
import { createTokenRefresh, type TokenRefreshDependencies } from './token-refresh.ts';

/** Access tokens of users who permit posting. They are stored encrypted, and refreshed when they expire. */
export function createPostingAccess(dependencies: TokenRefreshDependencies) {
  const { repository, poster, cipher, clock } = dependencies;
  const { encrypt, refresh, revoke, revokeRow, endAccess } = createTokenRefresh(dependencies);

  return {
    /** Saves new tokens and revokes the replaced ones, because a later disconnect couldn't find those. */
    async save(userId: string, tokens: XTokens): Promise<void> {
      const replaced = await repository.saveTokens(await encrypt(userId, tokens));
      if (replaced !== null) await revokeRow(replaced);
    },

    revoke,

    /** Deletes a user's tokens, then revokes them. Returns `confirmed` if X reports that they no longer work. */
    async disconnect(userId: string): Promise<'confirmed' | 'unconfirmed' | 'none'> {
      const row = await repository.takeTokens(userId);
      if (row === null) return 'none';
      return (await revokeRow(row)) ? 'confirmed' : 'unconfirmed';
    },

    /**
     * Returns a usable access token of a user.
     * @param refused a token that X has just refused; it counts as expired
     * @throws shares.consent_needed if there is no usable token
     * @throws PortUnavailableError if X doesn't respond to the refresh
     */
    async accessToken(userId: string, { refused }: { refused?: string } = {}): Promise<string> {
      for (;;) {
        const row = await repository.findTokens(userId);
        if (!row) throw createConsentNeededError(poster);
        const accessToken = await cipher.decrypt(row.accessTokenCiphertext, userId);
        if (accessToken === null) return endAccess(row);
        const isFresh = row.expiresAt - X_TOKEN_MARGIN_MS > clock.now();
        if (isFresh && accessToken !== refused) return accessToken;
        const refreshed = await refresh(row);
        if (refreshed !== null) return refreshed;
      }
    },

    /** Deletes and revokes the user's tokens if `refused` is still among them. @throws shares.consent_needed */
    async endRefused(userId: string, { refused }: { refused: string }): Promise<never> {
      const row = await repository.findTokens(userId);
      // A new consent may have replaced the refused token.
      if (row && (await cipher.decrypt(row.accessTokenCiphertext, userId)) === refused) {
        return endAccess(row);
      }
      throw createConsentNeededError(poster);
    },
  };
}
