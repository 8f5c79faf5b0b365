import { OAuth2Client, OAuth2RequestError, type OAuth2Tokens } from 'arctic';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

interface Exchange {
  readonly client?: OAuth2Client;
  readonly verifier?: string;
}

const exchange = (code: string, { client = createClient(), verifier = codeVerifier }: Exchange = {}) =>
  client.validateAuthorizationCode(tokenUrl, code, verifier);
const refresh = (tokens: OAuth2Tokens) =>
  createClient().refreshAccessToken(tokenUrl, tokens.refreshToken(), []);
const signInAsAmara = (scopes?: string[]) =>
  signIn(environment, { loginAs: 'amara_calls', ...(scopes && { scopes }) });
const receiveCodeOfAmara = () => receiveCode(environment, { loginAs: 'amara_calls' });

async function refusal(attempt: Promise<unknown>): Promise<string> {
  const error: unknown = await attempt.catch((thrown: unknown) => thrown);
  if (!(error instanceof OAuth2RequestError)) throw new Error('was not refused', { cause: error });
  return error.code;
}

test.each<readonly [string, string | null]>([
  ['login_as', 'no spaces <b>'],
  ['response_type', 'token'],
  ['redirect_uri', 'https://evil.example/callback'],
  ['redirect_uri', 'javascript:alert(1)'],
  ['redirect_uri', '/callback'],
  ['scope', 'tweet.read everything'],
  ['code_challenge', 'short'],
  ['code_challenge_method', 'plain'],
  ...[...new URL(authorizePath(), 'http://x').searchParams.keys()].map((name) => [name, null] as const),
])('X’s sign-in page does not redirect when the parameter %s is %j', async (name, value) => {
  const url = new URL(authorizePath({ loginAs: 'amara_calls' }), environment.url);
  if (value === null) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  const { status, headers, body } = await environment.request(url.pathname + url.search);
  expect([status, headers.get('location')]).toEqual([400, null]);
  expect(body).not.toContain('<b>”');
});

test('the token endpoint exchanges a code for tokens, and can refresh and revoke them', async () => {
  const tokens = await signInAsAmara();
  expect(tokens.tokenType()).toBe('bearer');
  expect(tokens.accessTokenExpiresInSeconds()).toBe(7200);
  expect(tokens.scopes()).toContain('offline.access');
  expect((await me(tokens.accessToken())).body.data.username).toBe('amara_calls');
  const fresh = await refresh(tokens);
  expect((await me(fresh.accessToken())).status).toBe(200);
  expect(await refusal(refresh(tokens))).toBe('invalid_request');
  await createClient().revokeToken(`${environment.url}/x/2/oauth2/revoke`, fresh.accessToken());
  expect((await me(fresh.accessToken())).status).toBe(401);
});

test('the token endpoint accepts only one of three concurrent refreshes', async () => {
  const tokens = await signInAsAmara();
  const results = await Promise.allSettled([1, 2, 3].map(() => refresh(tokens)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('the token endpoint issues a refresh token only with offline.access', async () => {
  expect((await signInAsAmara(['tweet.read', 'users.read'])).hasRefreshToken()).toBe(false);
});

test('the token endpoint accepts a code only once, and never after a wrong verifier', async () => {
  const used = await receiveCodeOfAmara();
  await exchange(used);
  const guessed = await receiveCodeOfAmara();
  expect(await refusal(exchange(guessed, { verifier: 'x'.repeat(50) }))).toBe('invalid_grant');
  for (const code of [used, guessed]) expect(await refusal(exchange(code))).toBe('invalid_request');
});

test('the token endpoint rejects a code after 30 seconds', async () => {
  environment.clock.now = testTime;
  const code = await receiveCodeOfAmara();
  environment.clock.now = testTime + 29_999;
  await exchange(code);
  const late = await receiveCodeOfAmara();
  environment.clock.now += 30_000;
  expect(await refusal(exchange(late))).toBe('invalid_request');
});

test('an access token from the token endpoint expires after two hours', async () => {
  const tokens = await signInAsAmara();
  environment.clock.now += 7_199_000;
  expect((await me(tokens.accessToken())).status).toBe(200);
  environment.clock.now += 1000;
  expect((await me(tokens.accessToken())).status).toBe(401);
  expect((await me((await refresh(tokens)).accessToken())).status).toBe(200);
});

test.each([
  ['client', new OAuth2Client('other-client', 'secret', callbackUrl)],
  ['callback', new OAuth2Client('local-client', 'local-secret', 'http://localhost:8787/elsewhere')],
])('the token endpoint rejects a code of another %s', async (_what, client) => {
  expect(await refusal(exchange(await receiveCodeOfAmara(), { client }))).toBe('invalid_request');
});

test.each([
  [401, 'unauthorized_client', { authorization: 'Basic nonsense' }, 'grant_type=authorization_code'],
  [400, 'unsupported_grant_type', {}, 'grant_type=password&client_id=local-client'],
])(
  'the token endpoint returns %s %s for the headers %o and the body %s',
  async (status, error, headers, body) => {
    const response = await environment.request('/x/2/oauth2/token', { method: 'POST', headers, body });
    expect(response).toMatchObject({ status, body: { error, error_description: expect.any(String) } });
  },
);
