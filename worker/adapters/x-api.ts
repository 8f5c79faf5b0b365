import { CodeChallengeMethod, OAuth2Client, OAuth2RequestError } from 'arctic';
import { z } from 'zod';
import type { IdentityProvider } from '../ports/identity.ts';
import { PortUnavailableError } from '../ports/unavailable.ts';
import { fetchJson } from './fetch-json.ts';

const SIGN_IN_SCOPES = ['tweet.read', 'users.read', 'users.email'];

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

/** Sign-in with X over its OAuth 2.0 and v2 API. */
export function createXIdentityProvider(options: XApiOptions): IdentityProvider {
  const client = new OAuth2Client(options.clientId, options.clientSecret, options.callbackUrl);
  return {
    authorizationUrl: ({ state, codeVerifier }) =>
      client.createAuthorizationURLWithPKCE(options.authorizeUrl, state, CodeChallengeMethod.S256, codeVerifier, SIGN_IN_SCOPES),

    async identify({ code, codeVerifier }) {
      const accessToken = await exchangeCode(client, `${options.apiUrl}/2/oauth2/token`, { code, codeVerifier });
      if (accessToken === null) return null;
      const url = `${options.apiUrl}/2/users/me?user.fields=profile_image_url,confirmed_email`;
      const answer = await fetchJson(url, { headers: { Authorization: `Bearer ${accessToken}` } }).catch((error: unknown) => {
        throw new PortUnavailableError('identity', error);
      });
      const parsed = meSchema.safeParse(answer);
      if (!parsed.success) throw new PortUnavailableError('identity', parsed.error);
      const { data: me } = parsed;
      return {
        xUserId: me.data.id,
        handle: me.data.username,
        name: me.data.name,
        email: me.data.confirmed_email ?? null,
        profileImageUrl: largerPicture(me.data.profile_image_url),
      };
    },
  };
}

async function exchangeCode(client: OAuth2Client, tokenUrl: string, answer: { code: string; codeVerifier: string }): Promise<string | null> {
  try {
    const tokens = await client.validateAuthorizationCode(tokenUrl, answer.code, answer.codeVerifier);
    return tokens.accessToken();
  } catch (error) {
    if (error instanceof OAuth2RequestError) return null;
    throw new PortUnavailableError('identity', error);
  }
}

/** X answers the 48 px picture; the 400 px one has the same address with another suffix. */
function largerPicture(url: string | undefined): string | null {
  return url?.replace(/_normal(?=\.\w+$)/, '_400x400') ?? null;
}
