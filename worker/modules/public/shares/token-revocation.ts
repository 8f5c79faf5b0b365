import type { TweetPoster, XTokens } from '../../../ports/tweet-poster.ts';
import { createConsentNeededError } from './shares.errors.ts';
import type { SharesRepository, XTokensRow } from './shares.repository.ts';
import type { TokenCipher } from '../../../shared/token-cipher.ts';

/** X issues a refresh token only with this scope. */
const REFRESH_SCOPE = 'offline.access';

type Tokens = { readonly [Token in 'accessToken' | 'refreshToken']: XTokens[Token] | null };

export interface TokenRevocationDependencies {
  readonly repository: SharesRepository;
  readonly poster: TweetPoster;
  readonly cipher: TokenCipher;
}

export function createTokenRevocation({ repository, poster, cipher }: TokenRevocationDependencies) {
  /** @returns true if X confirms that none of these tokens works any more */
  const revoke = async ({ accessToken, refreshToken }: Tokens): Promise<boolean> => {
    const tokens = [refreshToken, accessToken].filter((token) => token !== null);
    const responses = await Promise.all(tokens.map((token) => poster.revoke(token)));
    return responses.every(Boolean);
  };

  /** @returns false also if a token can't be decrypted, or a running refresh has claimed the refresh token */
  const revokeRow = async (row: XTokensRow): Promise<boolean> => {
    const decrypt = (ciphertext: string | null) =>
      ciphertext === null ? null : cipher.decrypt(ciphertext, row.userId);
    const accessToken = await decrypt(row.accessTokenCiphertext);
    const refreshToken = await decrypt(row.refreshTokenCiphertext);
    const isRevoked = await revoke({ accessToken, refreshToken });
    const hadRefreshToken = row.scopes.split(' ').includes(REFRESH_SCOPE);
    return isRevoked && accessToken !== null && (refreshToken !== null || !hadRefreshToken);
  };

  /** @throws shares.consent_needed after deleting and revoking the row's tokens */
  const endAccess = async (row: XTokensRow): Promise<never> => {
    if (await repository.deleteTokens(row)) await revokeRow(row);
    throw createConsentNeededError(poster);
  };

  return { revoke, revokeRow, endAccess };
}
