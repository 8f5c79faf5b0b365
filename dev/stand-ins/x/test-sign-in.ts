import { CodeChallengeMethod, OAuth2Client, type OAuth2Tokens } from 'arctic';
import type { TestEnvironment } from '../controls/test-environment.ts';

export const callbackUrl = 'http://localhost:8787/api/auth/twitter/callback';
export const codeVerifier = 'a-verifier-that-is-long-enough-to-be-one-0123456789';
export const everyScope = [
  'tweet.read',
  'users.read',
  'users.email',
  'tweet.write',
  'media.write',
  'offline.access',
];

/** A confidential OAuth client, as the product's worker is one. */
export function createClient(): OAuth2Client {
  return new OAuth2Client('local-client', 'local-secret', callbackUrl);
}

export function authorizePath({
  scopes = everyScope,
  loginAs,
  state = 'st4te',
}: { scopes?: string[]; loginAs?: string; state?: string } = {}): string {
  const url = createClient().createAuthorizationURLWithPKCE(
    'http://x.test/x/i/oauth2/authorize',
    state,
    CodeChallengeMethod.S256,
    codeVerifier,
    scopes,
  );
  if (loginAs !== undefined) url.searchParams.set('login_as', loginAs);
  return url.pathname + url.search;
}

export async function receiveCode(
  environment: TestEnvironment,
  options: { loginAs: string; scopes?: string[] },
): Promise<string> {
  const { headers } = await environment.request(authorizePath(options));
  return new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
}

export async function signIn(
  environment: TestEnvironment,
  options: { loginAs: string; scopes?: string[] },
): Promise<OAuth2Tokens> {
  const code = await receiveCode(environment, options);
  return createClient().validateAuthorizationCode(`${environment.url}/x/2/oauth2/token`, code, codeVerifier);
}
