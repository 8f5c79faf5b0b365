import { CodeChallengeMethod, OAuth2Client, OAuth2RequestError, type OAuth2Tokens } from 'arctic';
import { z } from 'zod';
import { X_TOKEN_TIMEOUT_MS } from '#schema/constants.ts';
import { PortUnavailableError } from '../ports/unavailable.ts';
import { withTimeout } from '../shared/with-timeout.ts';
import { fetchJson } from './fetch-json.ts';

export const SIGN_IN_SCOPES: readonly string[] = ['tweet.read', 'users.read', 'users.email'];

const NO_SUCH_TOKEN: readonly string[] = ['invalid_request', 'invalid_token'];

const meSchema = z.object({
  data: z.object({
    id: z.string().regex(/^\d+$/),
    name: z.string(),
    username: z.string().min(1),
    profile_image_url: z.string().optional(),
    confirmed_email: z.string().optional(),
  }),
});

export interface XApiOptions {
  readonly authorizeUrl: string;
  readonly apiUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly callbackUrl: string;
}

/** X's OAuth 2.0 with PKCE, and whose a token is. */
export function createXOAuth(options: XApiOptions) {
  const client = new OAuth2Client(options.clientId, options.clientSecret, options.callbackUrl);
  const tokenUrl = `${options.apiUrl}/2/oauth2/token`;
  return {
    authorizationUrl: (
      { state, codeVerifier }: { state: string; codeVerifier: string },
      scopes: readonly string[],
    ): URL =>
      client.createAuthorizationURLWithPKCE(
        options.authorizeUrl,
        state,
        CodeChallengeMethod.S256,
        codeVerifier,
        [...scopes],
      ),

    /** `null` when X refuses the code. */
    exchangeCode: ({ code, codeVerifier }: { code: string; codeVerifier: string }) =>
      unlessRefused('identity', () => client.validateAuthorizationCode(tokenUrl, code, codeVerifier)),

    /** `null` when X refuses the refresh token. The scopes stay as they were granted. */
    refresh: (refreshToken: string) =>
      unlessRefused('tweets', () => client.refreshAccessToken(tokenUrl, refreshToken, [])),

    /** Whether X says that a token is over: it ended it, or knows none such. */
    revoke: (token: string): Promise<boolean> =>
      withTimeout(client.revokeToken(`${options.apiUrl}/2/oauth2/revoke`, token), X_TOKEN_TIMEOUT_MS).then(
        () => true,
        (error: unknown) => error instanceof OAuth2RequestError && NO_SUCH_TOKEN.includes(error.code),
      ),

    async fetchMe(accessToken: string): Promise<z.infer<typeof meSchema>['data']> {
      const url = `${options.apiUrl}/2/users/me?user.fields=profile_image_url,confirmed_email`;
      const answer = await fetchJson(url, { headers: { Authorization: `Bearer ${accessToken}` } }).catch(
        (error: unknown) => {
          throw new PortUnavailableError('identity', error);
        },
      );
      const parsed = meSchema.safeParse(answer);
      if (!parsed.success) throw new PortUnavailableError('identity', parsed.error);
      return parsed.data.data;
    },
  };
}

async function unlessRefused(
  port: 'identity' | 'tweets',
  ask: () => Promise<OAuth2Tokens>,
): Promise<OAuth2Tokens | null> {
  try {
    // The OAuth client takes no AbortSignal, so a request that timed out may still reach X.
    return await withTimeout(ask(), X_TOKEN_TIMEOUT_MS);
  } catch (error) {
    if (error instanceof OAuth2RequestError) return null;
    throw new PortUnavailableError(port, error);
  }
}
