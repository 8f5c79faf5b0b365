import type { OAuth2Tokens } from 'arctic';
import { z } from 'zod';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { OAuthResponse, XRefusal } from '../ports/identity.ts';
import { PortUnavailableError } from '../ports/unavailable.ts';
import { createXOAuth, SIGN_IN_SCOPES, type XVars } from './x-oauth.ts';
import { readXRefusal } from './x-refusal.ts';

const SHARE_SCOPES = [...SIGN_IN_SCOPES, 'tweet.write', 'media.write', 'offline.access'];
const TIMEOUT_MS = 20 * SECOND_MS;
const HTTP_UNAUTHORIZED = 401;
const HTTP_SERVER_ERRORS = 500;

const createdSchema = z.object({ data: z.object({ id: z.string().regex(/^\d+$/) }) });

export interface XTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly scopes: readonly string[];
  readonly expiresAt: number;
}

/** `unconfirmed`: X may have posted the tweet but did not confirm it. After any other failure nothing was posted. */
export type PostResult =
  | { readonly outcome: 'posted'; readonly tweetUrl: string }
  | { readonly outcome: 'unauthorized' }
  | XRefusal
  | { readonly outcome: 'unconfirmed' };

interface Tweet {
  readonly accessToken: string;
  readonly text: string;
  readonly pngBase64: string;
}

export type TweetPoster = ReturnType<typeof createXTweetPoster>;

/**
 * Posts on X for a person who allowed it, with OAuth 2.0 and write scopes. Every method but `revoke` throws
 * PortUnavailableError if X doesn't respond.
 */
export function createXTweetPoster({ clock, vars }: { clock: Clock; vars: XVars }) {
  const oauth = createXOAuth({ clock, vars });
  const send = ({ path, accessToken, body }: { path: string; accessToken: string; body: object }) =>
    fetch(`${vars.X_API_URL}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });

  return {
    /** X's compose page. Its URL takes the parameters `text` and `url`, but no image. */
    composeUrl: new URL('../../intent/post', vars.X_AUTHORIZE_URL).href,

    startConsent: () => oauth.startAuthorization(SHARE_SCOPES),

    /** Exchanges the callback's code for tokens and their account; `null` if X refuses the code. */
    async redeem(consent: OAuthResponse) {
      const responded = await oauth.exchangeCode(consent);
      if (responded === null) return null;
      const tokens = readTokens(responded, clock);
      const me = await oauth.fetchMe(tokens.accessToken).catch(async (error: unknown) => {
        // The account is unknown. Revoke its tokens instead of leaving them live.
        await Promise.all(
          [tokens.refreshToken, tokens.accessToken].map((token) => token !== null && oauth.revoke(token)),
        );
        throw error;
      });
      return { xUserId: me.id, handle: me.username, tokens };
    },

    /** Refreshes the tokens. A refresh token works once. Returns `null` if X refuses it. */
    async refresh(refreshToken: string): Promise<XTokens | null> {
      const tokens = await oauth.refresh(refreshToken);
      return tokens === null ? null : readTokens(tokens, clock);
    },

    /** True if X reports that the token no longer works; false if X doesn't respond. */
    revoke: oauth.revoke,

    async post({ accessToken, text, pngBase64 }: Tweet): Promise<PostResult> {
      const media = { media: pngBase64, media_category: 'tweet_image' };
      const uploaded = await send({ path: '/2/media/upload', accessToken, body: media }).catch(unavailable);
      if (!uploaded.ok) return readRefusal(uploaded, clock);
      const mediaId = await readId(uploaded).catch(unavailable);
      const tweet = { text, media: { media_ids: [mediaId] } };
      // X may have posted the tweet even if this request fails.
      try {
        const posted = await send({ path: '/2/tweets', accessToken, body: tweet });
        if (posted.status >= HTTP_SERVER_ERRORS) return { outcome: 'unconfirmed' };
        if (!posted.ok) return await readRefusal(posted, clock);
        const id = await readId(posted);
        // A tweet's URL works without the handle: x.com/i/status/<id>.
        return { outcome: 'posted', tweetUrl: new URL(`../status/${id}`, vars.X_AUTHORIZE_URL).href };
      } catch {
        return { outcome: 'unconfirmed' };
      }
    },
  };
}

function readTokens(tokens: OAuth2Tokens, clock: Clock): XTokens {
  return {
    accessToken: tokens.accessToken(),
    refreshToken: tokens.hasRefreshToken() ? tokens.refreshToken() : null,
    scopes: tokens.hasScopes() ? tokens.scopes() : [],
    expiresAt: clock.now() + tokens.accessTokenExpiresInSeconds() * SECOND_MS,
  };
}

async function readId(response: Response): Promise<string> {
  return createdSchema.parse(await response.json()).data.id;
}

async function readRefusal(response: Response, clock: Clock): Promise<PostResult> {
  const { status } = response;
  if (status === HTTP_UNAUTHORIZED) return { outcome: 'unauthorized' };
  if (status >= HTTP_SERVER_ERRORS) return unavailable(new Error(`X responded ${status}`));
  return readXRefusal(response, clock);
}

function unavailable(cause: unknown): never {
  throw new PortUnavailableError('tweets', cause);
}
