import { OAuth2Client, OAuth2RequestError } from 'arctic';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestEnvironment, testTime, type TestEnvironment } from '../controls/test-environment.ts';
import {
  authorizePath,
  callbackUrl,
  codeVerifier,
  createClient,
  receiveCode,
  signIn,
} from './test-sign-in.ts';

let environment: TestEnvironment;
let tokenUrl: string;
beforeAll(async () => {
  environment = await startTestEnvironment();
  tokenUrl = `${environment.url}/x/2/oauth2/token`;
});
afterAll(() => environment.end());

function me(accessToken: string) {
  return environment.request('/x/2/users/me', { headers: { authorization: `Bearer ${accessToken}` } });
}

async function refusal(attempt: Promise<unknown>): Promise<string> {
  const error: unknown = await attempt.catch((thrown: unknown) => thrown);
  if (!(error instanceof OAuth2RequestError)) throw new Error('was not refused', { cause: error });
  return error.code;
}

describe('the sign-in page', () => {
  test('X’s sign-in page lists the sample people and the permissions, and has a cancel link', async () => {
    const { status, body, headers } = await environment.request(
      authorizePath({ scopes: ['tweet.read', 'users.read', 'users.email'] }),
    );
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/html');
    expect(body).toContain('Amara Lanternby');
    expect(body).toContain('See your email address');
    expect(body).not.toContain('<Peppercairn>');
    expect(body).toContain(`${callbackUrl}?error=access_denied&amp;state=st4te`);
  });

  test('X’s sign-in page redirects at once if login_as names an account', async () => {
    const { status, headers } = await environment.request(authorizePath({ loginAs: 'amara_calls' }));
    const target = new URL(headers.get('location') ?? '');
    expect(status).toBe(302);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(target.origin + target.pathname).toBe(callbackUrl);
    expect(target.searchParams.get('state')).toBe('st4te');
    expect(target.searchParams.get('code')).toMatch(/^[\w-]{20,}$/);
  });

  test('X’s sign-in page shows an error for an invalid handle', async () => {
    const { status, body } = await environment.request(authorizePath({ loginAs: 'no spaces <b>' }));
    expect(status).toBe(400);
    expect(body).toContain('cannot be a handle');
    expect(body).not.toContain('<b>”');
  });

  test.each([
    'response_type',
    'client_id',
    'redirect_uri',
    'scope',
    'state',
    'code_challenge',
    'code_challenge_method',
  ])('the sign-in page does not redirect when %s is missing', async (name) => {
    const url = new URL(authorizePath({ loginAs: 'amara_calls' }), environment.url);
    url.searchParams.delete(name);
    expect((await environment.request(url.pathname + url.search)).status).toBe(400);
  });

  test.each([
    ['response_type', 'token'],
    ['redirect_uri', 'https://evil.example/callback'],
    ['redirect_uri', 'javascript:alert(1)'],
    ['redirect_uri', '/callback'],
    ['scope', 'tweet.read everything'],
    ['code_challenge', 'short'],
    ['code_challenge_method', 'plain'],
  ])('the sign-in page does not redirect when %s is %s', async (name, value) => {
    const url = new URL(authorizePath({ loginAs: 'amara_calls' }), environment.url);
    url.searchParams.set(name, value);
    const { status, headers } = await environment.request(url.pathname + url.search);
    expect(status).toBe(400);
    expect(headers.get('location')).toBeNull();
  });
});

describe('the token endpoint', () => {
  test('the token endpoint exchanges a code for tokens, then refreshes and revokes them', async () => {
    const tokens = await signIn(environment, { loginAs: 'amara_calls' });
    expect(tokens.tokenType()).toBe('bearer');
    expect(tokens.accessTokenExpiresInSeconds()).toBe(7200);
    expect(tokens.scopes()).toContain('offline.access');
    expect((await me(tokens.accessToken())).body.data.username).toBe('amara_calls');
    const fresh = await createClient().refreshAccessToken(tokenUrl, tokens.refreshToken(), []);
    expect((await me(fresh.accessToken())).status).toBe(200);
    await createClient().revokeToken(`${environment.url}/x/2/oauth2/revoke`, fresh.accessToken());
    expect((await me(fresh.accessToken())).status).toBe(401);
  });

  test('the token endpoint accepts a refresh token only once', async () => {
    const tokens = await signIn(environment, { loginAs: 'amara_calls' });
    await createClient().refreshAccessToken(tokenUrl, tokens.refreshToken(), []);
    expect(await refusal(createClient().refreshAccessToken(tokenUrl, tokens.refreshToken(), []))).toBe(
      'invalid_request',
    );
  });

  test('the token endpoint accepts only one of three concurrent refreshes', async () => {
    const tokens = await signIn(environment, { loginAs: 'amara_calls' });
    const attempts = [1, 2, 3].map(() =>
      createClient().refreshAccessToken(tokenUrl, tokens.refreshToken(), []),
    );
    const results = await Promise.allSettled(attempts);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('the token endpoint issues a refresh token only with offline.access', async () => {
    const tokens = await signIn(environment, {
      loginAs: 'amara_calls',
      scopes: ['tweet.read', 'users.read'],
    });
    expect(tokens.hasRefreshToken()).toBe(false);
  });

  test('the token endpoint rejects a code after an attempt with a wrong verifier', async () => {
    const code = await receiveCode(environment, { loginAs: 'amara_calls' });
    expect(await refusal(createClient().validateAuthorizationCode(tokenUrl, code, 'x'.repeat(50)))).toBe(
      'invalid_grant',
    );
    expect(await refusal(createClient().validateAuthorizationCode(tokenUrl, code, codeVerifier))).toBe(
      'invalid_request',
    );
  });

  test('the token endpoint accepts a code only once', async () => {
    const code = await receiveCode(environment, { loginAs: 'amara_calls' });
    await createClient().validateAuthorizationCode(tokenUrl, code, codeVerifier);
    expect(await refusal(createClient().validateAuthorizationCode(tokenUrl, code, codeVerifier))).toBe(
      'invalid_request',
    );
  });

  test('the token endpoint rejects a code after 30 seconds', async () => {
    environment.clock.now = testTime;
    const code = await receiveCode(environment, { loginAs: 'amara_calls' });
    environment.clock.now = testTime + 29_999;
    await createClient().validateAuthorizationCode(tokenUrl, code, codeVerifier);
    const late = await receiveCode(environment, { loginAs: 'amara_calls' });
    environment.clock.now += 30_000;
    expect(await refusal(createClient().validateAuthorizationCode(tokenUrl, late, codeVerifier))).toBe(
      'invalid_request',
    );
  });

  test('the token endpoint expires an access token after two hours', async () => {
    const tokens = await signIn(environment, { loginAs: 'amara_calls' });
    environment.clock.now += 7_199_000;
    expect((await me(tokens.accessToken())).status).toBe(200);
    environment.clock.now += 1000;
    expect((await me(tokens.accessToken())).status).toBe(401);
    const fresh = await createClient().refreshAccessToken(tokenUrl, tokens.refreshToken(), []);
    expect((await me(fresh.accessToken())).status).toBe(200);
  });

  test('the token endpoint accepts a code only with its client and callback', async () => {
    const forClient = await receiveCode(environment, { loginAs: 'amara_calls' });
    const stranger = new OAuth2Client('other-client', 'secret', callbackUrl);
    expect(await refusal(stranger.validateAuthorizationCode(tokenUrl, forClient, codeVerifier))).toBe(
      'invalid_request',
    );
    const forCallback = await receiveCode(environment, { loginAs: 'amara_calls' });
    const elsewhere = new OAuth2Client('local-client', 'local-secret', 'http://localhost:8787/elsewhere');
    expect(await refusal(elsewhere.validateAuthorizationCode(tokenUrl, forCallback, codeVerifier))).toBe(
      'invalid_request',
    );
  });

  test('the token endpoint accepts a public client’s id in the body, and refuses a malformed authorization header', async () => {
    const publicClient = new OAuth2Client('local-client', null, callbackUrl);
    const code = await receiveCode(environment, { loginAs: 'amara_calls' });
    expect(
      (await publicClient.validateAuthorizationCode(tokenUrl, code, codeVerifier)).accessToken(),
    ).not.toBe('');
    const { status, body } = await environment.request('/x/2/oauth2/token', {
      method: 'POST',
      headers: { authorization: 'Basic nonsense' },
      body: 'grant_type=authorization_code',
    });
    expect(status).toBe(401);
    expect(body).toEqual({
      error: 'unauthorized_client',
      error_description: 'Missing valid authorization header',
    });
  });

  test('the token endpoint refuses other grant types', async () => {
    const { status, body } = await environment.request('/x/2/oauth2/token', {
      method: 'POST',
      body: 'grant_type=password&client_id=local-client',
    });
    expect(status).toBe(400);
    expect(body.error).toBe('unsupported_grant_type');
  });
});

test('X’s tokens and people survive a restart', async () => {
  const first = await startTestEnvironment();
  const tokens = await signIn(first, { loginAs: 'Typed_Newcomer' });
  const before = (
    await first.request('/x/2/users/me', { headers: { authorization: `Bearer ${tokens.accessToken()}` } })
  ).body.data;
  const second = await first.restart();
  const after = (
    await second.request('/x/2/users/me', { headers: { authorization: `Bearer ${tokens.accessToken()}` } })
  ).body.data;
  expect(after).toEqual(before);
  expect((await signIn(second, { loginAs: 'typed_newcomer' })).accessToken()).not.toBe('');
  const page = (await second.request(authorizePath())).body;
  expect(page.match(/Typed Newcomer/g)).toHaveLength(1);
  await second.end();
});
