import type { OAuth2Tokens } from 'arctic';
import { z } from 'zod';
import { SECOND_MS, X_RATE_LIMIT_MS } from '#schema/constants.ts';
import type { Clock } from '../ports/clock.ts';
import type { PostResult, TweetPoster, XTokens } from '../ports/tweet-poster.ts';
import { PortUnavailableError } from '../ports/unavailable.ts';
import { createXOAuth, SIGN_IN_SCOPES, type XApiOptions } from './x-oauth.ts';

const SHARE_SCOPES = [...SIGN_IN_SCOPES, 'tweet.write', 'media.write', 'offline.access'];
/** X takes an image of 5 MB over slow lines too. */
const TIMEOUT_MS = 20 * SECOND_MS;
const HTTP_UNAUTHORIZED = 401;
const HTTP_TOO_MANY = 429;
const HTTP_SERVER_ERRORS = 500;

const createdSchema = z.object({ data: z.object({ id: z.string().regex(/^\d+$/) }) });
const problemSchema = z.object({
  detail: z.string(),
  errors: z.array(z.object({ message: z.string() })).optional(),
});

/** Media and tweets over X's API v2. */
export function createXTweetPoster({ clock, ...options }: XApiOptions & { clock: Clock }): TweetPoster {
  const oauth = createXOAuth(options);
  const readTokens = (tokens: OAuth2Tokens): XTokens => ({
    accessToken: tokens.accessToken(),
    refreshToken: tokens.hasRefreshToken() ? tokens.refreshToken() : null,
    scopes: tokens.hasScopes() ? tokens.scopes() : [],
    expiresAt: clock.now() + tokens.accessTokenExpiresInSeconds() * SECOND_MS,
  });
  const send = ({ path, accessToken, body }: { path: string; accessToken: string; body: object }) =>
    fetch(`${options.apiUrl}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });

  return {
    composeUrl: new URL('../../intent/post', options.authorizeUrl).href,

    consentUrl: (attempt) => oauth.authorizationUrl(attempt, SHARE_SCOPES),

    async redeem(answer) {
      const answered = await oauth.exchangeCode(answer);
      if (answered === null) return null;
      const tokens = readTokens(answered);
      const me = await oauth.fetchMe(tokens.accessToken).catch(async (error: unknown) => {
        // Nobody will ever know whose they are, and they may post.
        await Promise.all(
          [tokens.refreshToken, tokens.accessToken].map((token) => token !== null && oauth.revoke(token)),
        );
        throw error;
      });
      return { xUserId: me.id, handle: me.username, tokens };
    },

    async refresh(refreshToken) {
      const tokens = await oauth.refresh(refreshToken);
      return tokens === null ? null : readTokens(tokens);
    },

    revoke: (token) => oauth.revoke(token),

    async post({ accessToken, text, pngBase64 }): Promise<PostResult> {
      const media = { media: pngBase64, media_category: 'tweet_image', media_type: 'image/png' };
      const uploaded = await send({ path: '/2/media/upload', accessToken, body: media }).catch(unavailable);
      if (!uploaded.ok) return refusalOf(uploaded, clock);
      const mediaId = await readId(uploaded).catch(unavailable);
      // From here on X may have posted, whatever we hear of it.
      try {
        const posted = await send({
          path: '/2/tweets',
          accessToken,
          body: { text, media: { media_ids: [mediaId] } },
        });
        if (posted.status >= HTTP_SERVER_ERRORS) return { outcome: 'unconfirmed' };
        if (!posted.ok) return await refusalOf(posted, clock);
        const id = await readId(posted);
        // The address of a tweet needs no handle: x.com/i/status/<id>.
        return { outcome: 'posted', tweetUrl: new URL(`../status/${id}`, options.authorizeUrl).href };
      } catch {
        return { outcome: 'unconfirmed' };
      }
    },
  };
}

async function readId(response: Response): Promise<string> {
  return createdSchema.parse(await response.json()).data.id;
}

async function refusalOf(response: Response, clock: Clock): Promise<PostResult> {
  if (response.status === HTTP_UNAUTHORIZED) return { outcome: 'unauthorized' };
  if (response.status === HTTP_TOO_MANY) {
    return { outcome: 'rate_limited', retryAfterSeconds: secondsUntilReset(response, clock) };
  }
  if (response.status >= HTTP_SERVER_ERRORS) return unavailable(new Error(`X answered ${response.status}`));
  const problem = problemSchema.safeParse(await response.json().catch(() => null));
  const detail = problem.success
    ? (problem.data.errors?.[0]?.message ?? problem.data.detail)
    : `X answered ${response.status}.`;
  return { outcome: 'rejected', detail };
}

/** X names the second (unix) at which it takes requests again. */
function secondsUntilReset({ headers }: Response, clock: Clock): number {
  const reset = Number(headers.get('x-rate-limit-reset') ?? Number.NaN);
  return Number.isInteger(reset)
    ? Math.max(1, reset - Math.floor(clock.now() / SECOND_MS))
    : X_RATE_LIMIT_MS / SECOND_MS;
}

function unavailable(cause: unknown): never {
  throw new PortUnavailableError('tweets', cause);
}
