import {
  CodeChallengeMethod,
  generateCodeVerifier,
  generateState,
  OAuth2Client,
  OAuth2RequestError,
  UnexpectedResponseError,
  type OAuth2Tokens,
} from 'arctic';
import { z } from 'zod';
import { X_TOKEN_TIMEOUT_MS } from '#schema/constants/public.ts';
import type { Clock } from '../ports/clock.ts';
import { RefusedByXError, type OAuthAttempt, type OAuthResponse } from '../ports/identity.ts';
import { PortUnavailableError } from '../ports/unavailable.ts';
import { withTimeout } from '../shared/with-timeout.ts';
import { fetchInTime } from './fetch-json.ts';
import { HTTP_TOO_MANY, readXRefusal, refuseForNow } from './x-refusal.ts';

export const SIGN_IN_SCOPES: readonly string[] = ['tweet.read', 'users.read', 'users.email'];

const UNKNOWN_TOKEN: readonly string[] = ['invalid_request', 'invalid_token'];
/** X refuses our client id or secret: `unauthorized_client`, “Missing valid authorization header” (reported). */
const CLIENT_ERRORS: readonly string[] = ['unauthorized_client', 'invalid_client'];
const HTTP_UNAUTHORIZED = 401;

const meSchema = z.object({
  data: z.object({
    id: z.string().regex(/^\d+$/),
    name: z.string(),
    username: z.string().min(1),
    profile_image_url: z.string().optional(),
    confirmed_email: z.string().optional(),
  }),
});

export interface XVars {
  readonly APP_ORIGIN: string;
  readonly X_AUTHORIZE_URL: string;
  readonly X_API_URL: string;
  readonly X_CLIENT_ID: string;
  readonly X_CLIENT_SECRET: string;
}

export interface XOptions {
  readonly clock: Clock;
  readonly vars: XVars;
}

export function createXOAuth({ clock, vars }: XOptions) {
  const callbackUrl = `${vars.APP_ORIGIN}/api/auth/twitter/callback`;
  const client = new OAuth2Client(vars.X_CLIENT_ID, vars.X_CLIENT_SECRET, callbackUrl);
  const tokenUrl = `${vars.X_API_URL}/2/oauth2/token`;
  const revokeUrl = `${vars.X_API_URL}/2/oauth2/revoke`;
  return {
    startAuthorization(scopes: readonly string[]): { url: URL; attempt: OAuthAttempt } {
      const attempt = { state: generateState(), codeVerifier: generateCodeVerifier() };
      const url = client.createAuthorizationURLWithPKCE(
        vars.X_AUTHORIZE_URL,
        attempt.state,
        CodeChallengeMethod.S256,
        attempt.codeVerifier,
        [...scopes],
      );
      return { url, attempt };
    },

    exchangeCode: ({ code, codeVerifier }: OAuthResponse) =>
      nullIfRefused('identity', () => client.validateAuthorizationCode(tokenUrl, code, codeVerifier)),

    refresh: (refreshToken: string) =>
      nullIfRefused('tweets', () => client.refreshAccessToken(tokenUrl, refreshToken, [])),

    async revoke(token: string): Promise<boolean> {
      try {
        await withTimeout(client.revokeToken(revokeUrl, token), X_TOKEN_TIMEOUT_MS);
        return true;
      } catch (error) {
        return error instanceof OAuth2RequestError && UNKNOWN_TOKEN.includes(error.code);
      }
    },

    async fetchMe(accessToken: string): Promise<z.infer<typeof meSchema>['data']> {
      const url = `${vars.X_API_URL}/2/users/me?user.fields=profile_image_url,confirmed_email`;
      try {
        const response = await fetchInTime(url, { headers: { Authorization: `Bearer ${accessToken}` } });
        const { ok, status } = response;
        const isRefused = status > HTTP_UNAUTHORIZED && status < 500;
        if (isRefused) throw new RefusedByXError(await readXRefusal(response, clock));
        if (!ok) throw new Error(`X responded ${status}`);
        return meSchema.parse(await response.json()).data;
      } catch (error) {
        if (error instanceof RefusedByXError) throw error;
        throw new PortUnavailableError('identity', error);
      }
    },
  };
}

/** The OAuth client takes no AbortSignal, so a timed-out request may still reach X. */
async function nullIfRefused(
  port: 'identity' | 'tweets',
  request: () => Promise<OAuth2Tokens>,
): Promise<OAuth2Tokens | null> {
  try {
    return await withTimeout(request(), X_TOKEN_TIMEOUT_MS);
  } catch (error) {
    if (error instanceof OAuth2RequestError && CLIENT_ERRORS.includes(error.code)) {
      throw new RefusedByXError({ outcome: 'app_refused', reason: 'x.client_refused' });
    }
    if (error instanceof OAuth2RequestError) return null;
    // The client doesn't give us the response's headers, so the reset time is unknown.
    if (error instanceof UnexpectedResponseError && error.status === HTTP_TOO_MANY) {
      throw new RefusedByXError(refuseForNow());
    }
    throw new PortUnavailableError(port, error);
  }
}
