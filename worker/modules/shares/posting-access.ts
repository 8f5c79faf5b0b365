import { X_REFRESH_CLAIM_MS, X_REFRESH_LOST_MS, X_TOKEN_MARGIN_MS } from '#schema/constants.ts';
import type { Clock } from '../../ports/clock.ts';
import type { TweetPoster, XTokens } from '../../ports/tweet-poster.ts';
import { PortUnavailableError } from '../../ports/unavailable.ts';
import type { SharesRepository, XTokensRow } from './shares.repository.ts';
import { createConsentNeededError } from './shares.errors.ts';
import type { TokenCipher } from './token-cipher.ts';

/** Until the request that refreshes is done, the others look again this often. */
const REFRESH_POLL_MS = 250;
/** Without it X gives no refresh token. */
const REFRESH_SCOPE = 'offline.access';

type Tokens = Pick<XTokens, 'accessToken' | 'refreshToken'>;

/** Access tokens of who lets us post, kept encrypted and refreshed when they have ended. */
export function createPostingAccess({
  repository,
  poster,
  cipher,
  clock,
}: {
  repository: SharesRepository;
  poster: TweetPoster;
  cipher: TokenCipher;
  clock: Clock;
}) {
  const seal = async (userId: string, tokens: XTokens): Promise<XTokensRow> => ({
    userId,
    accessTokenCiphertext: await cipher.encrypt(tokens.accessToken, userId),
    refreshTokenCiphertext:
      tokens.refreshToken === null ? null : await cipher.encrypt(tokens.refreshToken, userId),
    scopes: tokens.scopes.join(' '),
    expiresAt: tokens.expiresAt,
    updatedAt: clock.now(),
  });

  /** Ends tokens at X. @returns whether X says that all of them are over. */
  const revoke = async (tokens: { [Token in keyof Tokens]: string | null }): Promise<boolean> => {
    const answers = await Promise.all(
      [tokens.refreshToken, tokens.accessToken].map((token) =>
        token === null ? true : poster.revoke(token),
      ),
    );
    return answers.every(Boolean);
  };

  /** Ends what a row held at X. @returns whether all of it is known to be over: not what we cannot read any more, nor what a refresh has in its hands. */
  const revokeRow = async ({
    userId,
    accessTokenCiphertext,
    refreshTokenCiphertext,
    scopes,
  }: XTokensRow): Promise<boolean> => {
    const accessToken = await cipher.decrypt(accessTokenCiphertext, userId);
    const refreshToken =
      refreshTokenCiphertext === null ? null : await cipher.decrypt(refreshTokenCiphertext, userId);
    const isRevoked = await revoke({ accessToken, refreshToken });
    const isWhole =
      accessToken !== null && (refreshToken !== null || !scopes.split(' ').includes(REFRESH_SCOPE));
    return isRevoked && isWhole;
  };

  const forget = async (row: XTokensRow): Promise<never> => {
    if (await repository.deleteTokens(row)) await revokeRow(row);
    throw createConsentNeededError(poster);
  };

  /** Spends the row's refresh token. @returns the new access token, or `null` when another request was faster or the row is another by now: look again. */
  const refresh = async (row: XTokensRow): Promise<string | null> => {
    const { userId, refreshTokenCiphertext } = row;
    if (refreshTokenCiphertext === null) {
      const claimedMs = clock.now() - row.updatedAt;
      if (claimedMs >= X_REFRESH_LOST_MS) return forget(row);
      // It may still come about: what is not known to be lost is not thrown away.
      if (claimedMs >= X_REFRESH_CLAIM_MS) {
        throw new PortUnavailableError('tweets', new Error('Another request has not finished its refresh'));
      }
      await clock.sleep(REFRESH_POLL_MS);
      return null;
    }
    if (!(await repository.claimRefresh({ userId, refreshTokenCiphertext, now: clock.now() }))) return null;
    const refreshToken = await cipher.decrypt(refreshTokenCiphertext, userId);
    if (refreshToken === null) return forget(row);
    const tokens = await poster.refresh(refreshToken).catch(async (error: unknown) => {
      // Who disconnected meanwhile left this one to us to end.
      if (!(await repository.returnRefresh(row))) await revoke({ accessToken: null, refreshToken });
      throw error;
    });
    if (tokens === null) return forget(row);
    const fresh = await seal(userId, {
      ...tokens,
      scopes: tokens.scopes.length === 0 ? row.scopes.split(' ') : tokens.scopes,
    });
    if (await repository.replaceTokens({ ...fresh, refreshedCiphertext: row.accessTokenCiphertext })) {
      return tokens.accessToken;
    }
    await revoke(tokens);
    return null;
  };

  return {
    /** Keeps what a consent gave, and then ends at X what it replaces: nobody could any more who disconnects later. */
    async save(userId: string, tokens: XTokens): Promise<void> {
      const replaced = await repository.saveTokens(await seal(userId, tokens));
      if (replaced !== null) await revokeRow(replaced);
    },

    revoke,

    /** Forgets a user's tokens at once, and only then ends them at X. @returns whether X says that they are over; `null` where there was none. */
    async disconnect(userId: string): Promise<boolean | null> {
      const row = await repository.takeTokens(userId);
      return row === null ? null : revokeRow(row);
    },

    /**
     * A usable access token of a user.
     * @param refused one that X has just refused: it counts as ended.
     * @throws shares.consent_needed when there is none (any more); PortUnavailableError when X does not refresh.
     */
    async accessToken(userId: string, { refused }: { refused?: string } = {}): Promise<string> {
      for (;;) {
        const row = await repository.findTokens(userId);
        if (!row) throw createConsentNeededError(poster);
        const accessToken = await cipher.decrypt(row.accessTokenCiphertext, userId);
        if (accessToken === null) return forget(row);
        if (accessToken !== refused && row.expiresAt - X_TOKEN_MARGIN_MS > clock.now()) return accessToken;
        const refreshed = await refresh(row);
        if (refreshed !== null) return refreshed;
      }
    },

    /** Forgets tokens that X refuses though they are fresh, and ends them there. @throws shares.consent_needed */
    async giveUp(userId: string, { refused }: { refused: string }): Promise<never> {
      const row = await repository.findTokens(userId);
      // What a new consent has brought meanwhile nobody has refused.
      if (row && (await cipher.decrypt(row.accessTokenCiphertext, userId)) === refused) return forget(row);
      throw createConsentNeededError(poster);
    },
  };
}
