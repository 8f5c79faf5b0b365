import { X_REFRESH_CLAIM_MS, X_REFRESH_LOST_MS } from '#schema/constants.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { XTokens } from '../../../ports/tweet-poster.ts';
import { PortUnavailableError } from '../../../ports/unavailable.ts';
import type { XTokensRow } from './shares.repository.ts';
import { createTokenRevocation, type TokenRevocationDependencies } from './token-revocation.ts';

const REFRESH_POLL_MS = 250;

export interface TokenRefreshDependencies extends TokenRevocationDependencies {
  readonly clock: Clock;
}

export function createTokenRefresh(dependencies: TokenRefreshDependencies) {
  const { repository, poster, cipher, clock } = dependencies;
  const revocation = createTokenRevocation(dependencies);

  const encrypt = async (userId: string, tokens: XTokens): Promise<XTokensRow> => ({
    userId,
    accessTokenCiphertext: await cipher.encrypt(tokens.accessToken, userId),
    refreshTokenCiphertext:
      tokens.refreshToken === null ? null : await cipher.encrypt(tokens.refreshToken, userId),
    scopes: tokens.scopes.join(' '),
    expiresAt: tokens.expiresAt,
    updatedAt: clock.now(),
  });

  /** Waits while another request refreshes the row's tokens. */
  const waitForOther = async (row: XTokensRow): Promise<null> => {
    const claimedMs = clock.now() - row.updatedAt;
    if (claimedMs >= X_REFRESH_LOST_MS) return revocation.endAccess(row);
    // Don't delete the row yet, because the other refresh may still succeed.
    if (claimedMs >= X_REFRESH_CLAIM_MS) {
      throw new PortUnavailableError('tweets', new Error('Another request has not finished its refresh'));
    }
    await clock.sleep(REFRESH_POLL_MS);
    return null;
  };

  const redeem = async (row: XTokensRow, refreshToken: string): Promise<XTokens | null> => {
    try {
      return await poster.refresh(refreshToken);
    } catch (error) {
      const isReturned = await repository.returnRefresh(row);
      // The user disconnected meanwhile. Disconnecting revoked only the tokens in the row, and the row didn't
      // contain this refresh token.
      if (!isReturned) await revocation.revoke({ accessToken: null, refreshToken });
      throw error;
    }
  };

  /**
   * @returns the new access token; `null` if another request was faster, so that the calling code must read the
   * row again
   */
  const refresh = async (row: XTokensRow): Promise<string | null> => {
    const { userId, refreshTokenCiphertext } = row;
    if (refreshTokenCiphertext === null) return waitForOther(row);
    const isClaimed = await repository.claimRefresh({ ...row, refreshTokenCiphertext }, clock.now());
    if (!isClaimed) return null;
    const refreshToken = await cipher.decrypt(refreshTokenCiphertext, userId);
    if (refreshToken === null) return revocation.endAccess(row);
    const tokens = await redeem(row, refreshToken);
    if (tokens === null) return revocation.endAccess(row);
    // X may leave the scopes out if they haven't changed.
    const scopes = tokens.scopes.length === 0 ? row.scopes.split(' ') : tokens.scopes;
    const isSaved = await repository.replaceTokens(row, await encrypt(userId, { ...tokens, scopes }));
    if (isSaved) return tokens.accessToken;
    await revocation.revoke(tokens);
    return null;
  };

  return { ...revocation, encrypt, refresh };
}
