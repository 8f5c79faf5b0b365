import { X_REFRESH_CLAIM_MS, X_REFRESH_LOST_MS } from '#schema/constants/public.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { Base } from '../../../app/base.ts';
import type { TweetPoster, XTokens } from '../../../adapters/x-tweets.ts';
import { PortUnavailableError } from '../../../ports/unavailable.ts';
import type { TokenCipher } from '../../../shared/token-cipher.ts';
import { createConsentNeededError } from './shares.errors.ts';
import type { Session } from '../../people/auth/auth.service.ts';
import type { RevocableTokens } from '../../people/ways/ways.repository.ts';
import type { RefreshedTokens, XTokensRow, SharesRepository } from './shares.repository.ts';

const X_TOKEN_MARGIN_MS = MINUTE_MS;

const REFRESH_POLL_MS = 250;
/** X issues a refresh token only with this scope. */
const REFRESH_SCOPE = 'offline.access';

export interface PostingAccessDependencies extends Pick<Base, 'clock'> {
  readonly repository: SharesRepository;
  readonly poster: TweetPoster;
  readonly cipher: TokenCipher;
}

export function createPostingAccess(dependencies: PostingAccessDependencies) {
  const { repository, poster, cipher, clock } = dependencies;
  const { encrypt, refresh, revoke, revokeRow, endAccess } = createTokenRefresh(dependencies);

  return {
    /** Saves new tokens and revokes the replaced ones, because a later disconnect couldn't find those. */
    async save({ userId, id: sessionHash }: Session, tokens: XTokens): Promise<void> {
      const encrypted = await encrypt(userId, tokens);
      const replaced = await repository.saveTokens({ ...encrypted, createdAt: clock.now(), sessionHash });
      if (replaced !== null) await revokeRow(replaced);
    },

    revoke,

    revokeRow,

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

function createTokenRefresh(dependencies: PostingAccessDependencies) {
  const { repository, poster, cipher, clock } = dependencies;
  const revocation = createTokenRevocation(dependencies);

  const encrypt = async (userId: string, tokens: XTokens): Promise<RefreshedTokens> => ({
    userId,
    accessTokenCiphertext: await cipher.encrypt(tokens.accessToken, userId),
    refreshTokenCiphertext:
      tokens.refreshToken === null ? null : await cipher.encrypt(tokens.refreshToken, userId),
    scopes: tokens.scopes.join(' '),
    expiresAt: tokens.expiresAt,
    updatedAt: clock.now(),
  });

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

type Tokens = { readonly [Token in 'accessToken' | 'refreshToken']: XTokens[Token] | null };

function createTokenRevocation({ repository, poster, cipher }: PostingAccessDependencies) {
  const revoke = async ({ accessToken, refreshToken }: Tokens): Promise<boolean> => {
    const tokens = [refreshToken, accessToken].filter((token) => token !== null);
    const responses = await Promise.all(tokens.map((token) => poster.revoke(token)));
    return responses.every(Boolean);
  };

  /** @returns false also if a token can't be decrypted, or a running refresh has claimed the refresh token */
  const revokeRow = async (row: RevocableTokens): Promise<boolean> => {
    const decrypt = (ciphertext: string | null) =>
      ciphertext === null ? null : cipher.decrypt(ciphertext, row.userId);
    const accessToken = await decrypt(row.accessTokenCiphertext);
    const refreshToken = await decrypt(row.refreshTokenCiphertext);
    const isRevoked = await revoke({ accessToken, refreshToken });
    const hadRefreshToken = row.scopes.split(' ').includes(REFRESH_SCOPE);
    return isRevoked && accessToken !== null && (refreshToken !== null || !hadRefreshToken);
  };

  const endAccess = async (row: XTokensRow): Promise<never> => {
    if (await repository.deleteTokens(row)) await revokeRow(row);
    throw createConsentNeededError(poster);
  };

  return { revoke, revokeRow, endAccess };
}
