import fc from 'fast-check';
import { beforeEach, expect, it, vi } from 'vitest';
import { DAY_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { expectRefusal, expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import { createCaller } from '#test/people/callers.ts';
import { query, readDatabase } from '#test/database/database.ts';
import { hangCalls, interceptX } from '#test/images/intercept-x.ts';
import { control, cookiesOf, createTestApp, type TestApp } from '#test/test-app.ts';
import { NO_LIMITS } from '#test/test-limits.ts';
import { hashToken } from '../../../shared/secrets.ts';

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});

/** Signs in on X. Returns the callback URL without opening it. */
async function startSignIn({
  handle = 'amara_calls',
  returnTo,
}: { handle?: string; returnTo?: string } = {}) {
  const start = await app.request(
    `/api/auth/twitter${returnTo === undefined ? '' : `?returnTo=${encodeURIComponent(returnTo)}`}`,
  );
  const authorize = new URL(start.headers.get('Location') ?? '');
  const responded = await fetch(`${authorize}&login_as=${handle}`, { redirect: 'manual' });
  const callback = new URL(responded.headers.get('Location') ?? '');
  return { start, authorize, cookie: cookiesOf(start), callback: `${callback.pathname}${callback.search}` };
}

const tokenOf = (cookie: string) => cookie.replace(/^__Host-session=/, '');

// Specification 4.29, 4.42, 6.7
it('sign-in opens a session for the account on X', async () => {
  const person = await app.signIn('amara_calls');
  const user = await readResponse<CurrentUser>(person.get('/api/auth/user'));
  expect(user).toMatchObject({
    id: person.id,
    twitterHandle: 'amara_calls',
    firstName: 'Amara',
    lastName: 'Lanternby',
    email: 'amara@lanternby.example',
    isCaller: false,
    monthlyFee: null,
    walletAddress: null,
    telegramHandle: null,
    telegramConnected: false,
  });
});

it('sign-in accepts an account without an email address, and a name with markup, accents and an emoji', async () => {
  const noor = await app.signIn('no_email_noor');
  expect(await readResponse<CurrentUser>(noor.get('/api/auth/user'))).toMatchObject({ email: null });
  const long = await app.signIn('FifteenLetters_');
  const { firstName, lastName } = await readResponse<CurrentUser>(long.get('/api/auth/user'));
  expect(`${firstName} ${lastName}`).toBe('Maximiliane-Aurelia <Peppercairn> & Søns "MP" 🪁 Ōé');
});

// Specification 2.15
it('sign-in requests the minimal scopes from X, with PKCE', async () => {
  const { authorize } = await startSignIn();
  expect(Object.fromEntries(authorize.searchParams)).toMatchObject({
    response_type: 'code',
    scope: 'tweet.read users.read users.email',
    code_challenge_method: 'S256',
    redirect_uri: 'https://solcallers.test/api/auth/twitter/callback',
  });
});

it('sign-in recognises a user by X’s id after their handle changes', async () => {
  const before = await app.signIn('handle_before');
  await control('POST', '/x/rename', { handle: 'handle_before', newHandle: 'handle_after' });
  const after = await app.signIn('handle_after');
  expect(after.id).toBe(before.id);
  const newcomer = await app.signIn('handle_before');
  expect(newcomer.id).not.toBe(before.id);
  expect((await query('SELECT id FROM users')).length).toBe(2);
  await control('POST', '/x/rename', { handle: 'handle_before', newHandle: `gone${Date.now() % 100_000}` });
  await control('POST', '/x/rename', { handle: 'handle_after', newHandle: 'handle_before' });
});

it('sign-in removes a handle from its former holder if the handle belongs to another account on X', async () => {
  const former = await createCaller(app, 'Moving_Handle');
  await control('POST', '/x/rename', { handle: 'Moving_Handle', newHandle: `gone${Date.now() % 100_000}` });
  const holder = await app.signIn('moving_handle');
  const profile = await readResponse<{ twitterHandle: string }>(app.request(`/api/callers/${former.id}`));
  expect(profile.twitterHandle).toMatch(/^user-\d+$/);
  expect((await app.request('/api/callers/moving_handle')).status).toBe(404);
  const found = await readResponse<readonly unknown[]>(app.request('/api/callers?search=moving_handle'));
  expect(found).toEqual([]);
  expect((await readResponse<CurrentUser>(holder.get('/api/auth/user'))).twitterHandle).toBe('moving_handle');
});

it('sign-in sets cookies that scripts and other sites cannot use, and a readable flag that grants nothing', async () => {
  const { start, cookie, callback } = await startSignIn();
  const done = await app.request(callback, { cookie });
  const [attempt] = start.headers.getSetCookie();
  const session = done.headers.getSetCookie().find((text) => text.startsWith('__Host-session='));
  expect(attempt).toMatch(/^__Host-sign-in=/);
  const attributes = (text = '') => text.split('; ').slice(1).toSorted();
  const shared = [expect.stringMatching(/^Max-Age=\d+$/), 'Path=/', 'SameSite=Lax', 'Secure'];
  for (const text of [attempt, session]) expect(attributes(text)).toEqual(['HttpOnly', ...shared]);
  const flag = done.headers.getSetCookie().find((text) => text.startsWith('__Host-signed-in=1;'));
  expect(attributes(flag)).toEqual(shared);
  expect(
    done.headers
      .getSetCookie()
      .some((text) => text.startsWith('__Host-sign-in=;') && text.includes('Max-Age=0')),
  ).toBe(true);
});

it('sign-in at an http origin sets cookies without Secure, because WebKit refuses Secure cookies there', async () => {
  app = await createTestApp({ bindings: { APP_ORIGIN: 'http://localhost:8787' } });
  const { start, cookie, callback } = await startSignIn();
  const done = await app.request(callback, { cookie });
  const session = cookiesOf(done);
  expect([cookie, session]).toEqual([expect.stringMatching(/^sign-in=/), expect.stringMatching(/^session=/)]);
  for (const text of [...start.headers.getSetCookie(), ...done.headers.getSetCookie()]) {
    expect(text).not.toMatch(/Secure|__Host-/);
  }
  await readResponse(app.request('/api/auth/user', { cookie: session }));
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const signedOut = await app.request('/api/logout', { cookie: session, headers });
  expect(signedOut.headers.getSetCookie()).toEqual([
    'session=; Max-Age=0; Path=/',
    'signed-in=; Max-Age=0; Path=/',
  ]);
  await expectRefusal(app.request('/api/auth/user', { cookie: session }), 'auth.required');
});

it('sign-in stores only a hash of the session token', async () => {
  const { cookie } = await app.signIn('amara_calls');
  const token = tokenOf(cookie);
  expect(token).toMatch(/^[\w-]{54}$/);
  expect(await query('SELECT token_hash FROM sessions')).toEqual([{ token_hash: hashToken(token) }]);
  expect(JSON.stringify(await readDatabase())).not.toContain(token);
});

const attemptCookie = (attempt: object) => `__Host-sign-in=${encodeURIComponent(JSON.stringify(attempt))}`;
const attemptIn = (cookie: string) =>
  JSON.parse(decodeURIComponent(cookie.replace('__Host-sign-in=', ''))) as object;

interface Callback {
  readonly callback: string;
  readonly cookie?: string;
}

const replaced = (part: string, by: string) => (attempt: Required<Callback>) => ({
  ...attempt,
  callback: attempt.callback.replace(new RegExp(`${part}=[^&]+`), by),
});

it.each<[what: string, change: (attempt: Required<Callback>) => Callback | Promise<Callback>]>([
  ['a wrong state', replaced('state', 'state=x')],
  ['no state', replaced('state', '')],
  ['no code', replaced('code', '')],
  ['an invented code', replaced('code', 'code=x')],
  ['no attempt cookie', ({ callback }) => ({ callback })],
  ['an attempt cookie that is no JSON', ({ callback }) => ({ callback, cookie: '__Host-sign-in=nonsense' })],
  ['an empty attempt cookie', ({ callback }) => ({ callback, cookie: '__Host-sign-in=null' })],
  ['an incomplete attempt cookie', ({ callback }) => ({ callback, cookie: attemptCookie({ state: 1 }) })],
  [
    'another attempt’s cookie',
    async ({ callback }) => ({ callback, cookie: (await startSignIn({ handle: 'kenji_charts' })).cookie }),
  ],
  [
    'a wrong PKCE verifier',
    ({ callback, cookie }) => ({
      callback,
      cookie: attemptCookie({ ...attemptIn(cookie), codeVerifier: 'x'.repeat(43) }),
    }),
  ],
])('the sign-in callback rejects %s and writes nothing', async (_what, change) => {
  const { callback, ...init } = await change(await startSignIn());
  await expectRefusalWithoutTrace(() => app.request(callback, init), 'auth.attempt_invalid');
});

it('the sign-in callback returns 502 if either of its two requests to X fails', async () => {
  for (const path of ['oauth2/token', 'users/me']) {
    for (const failure of [{ status: 503 }, { drop: true }]) {
      const { cookie, callback } = await startSignIn();
      await control('POST', '/faults', { service: 'x', path, ...failure, count: 1 });
      await expectRefusalWithoutTrace(() => app.request(callback, { cookie }), 'auth.provider_unavailable');
    }
  }
});

it.each([
  [
    'a suspended account',
    { path: '/x/account-block', body: { block: 'suspended' } },
    'auth.refused_by_x',
    'is suspended',
  ],
  [
    'a locked account',
    { path: '/x/account-block', body: { block: 'locked' } },
    'auth.refused_by_x',
    'to unlock your account',
  ],
  [
    'our client secret',
    { path: '/x/refuse-client', body: {} },
    'auth.broken',
    'We know and are working on it.',
  ],
  [
    'us without credits',
    { path: '/x/credits', body: { usd: 0 } },
    'auth.broken',
    'We know and are working on it.',
  ],
] as const)('a sign-in says why X refused %s', async (_what, { path, body }, code, text) => {
  const warnings = vi.spyOn(console, 'warn').mockReturnValue();
  const { cookie, callback } = await startSignIn({ handle: 'kenji_charts' });
  await control('POST', path, path === '/x/account-block' ? { handle: 'kenji_charts', ...body } : body);
  const { message } = await expectRefusalWithoutTrace(() => app.request(callback, { cookie }), code);
  expect(message).toContain(text);
  expect(/X refused: x\./.test(warnings.mock.calls.join())).toBe(code === 'auth.broken');
  await control('POST', '/x/account-block', { handle: 'kenji_charts', block: null });
});

it('a sign-in whose code X rate-limits returns 429 with the length of X’s usual window', async () => {
  const { cookie, callback } = await startSignIn();
  await control('POST', '/faults', { service: 'x', path: 'oauth2/token', status: 429, count: 1 });
  const response = await app.request(callback, { cookie });
  expect(response.headers.get('Retry-After')).toBe('900');
  await expectRefusal(response, 'auth.x_rate_limited');
});

it('a sign-in that X rate-limits returns 429 with X’s reset time', async () => {
  const { cookie, callback } = await startSignIn();
  const resetAt = String(Math.floor(app.clock.now() / SECOND_MS) + 61);
  interceptX('confirmed_email', () =>
    Promise.resolve(new Response('{}', { status: 429, headers: { 'x-rate-limit-reset': resetAt } })),
  );
  const response = await app.request(callback, { cookie });
  expect(response.headers.get('Retry-After')).toBe('61');
  await expectRefusal(response, 'auth.x_rate_limited');
});

it('the sign-in callback returns 502 after a timeout if X does not respond', async () => {
  const { cookie, callback } = await startSignIn();
  hangCalls('/oauth2/token');
  await expectRefusalWithoutTrace(() => app.request(callback, { cookie }), 'auth.provider_unavailable');
});

it('the sign-in callback redirects back without a session after the user declines on X', async () => {
  for (const [returnTo, location] of [
    [undefined, '/'],
    ['/caller/kenji', '/caller/kenji'],
  ] as const) {
    const { cookie, callback } = await startSignIn(returnTo === undefined ? {} : { returnTo });
    const state = new URLSearchParams(callback.split('?')[1]).get('state') ?? '';
    const response = await app.request(
      `/api/auth/twitter/callback?error=access_denied&state=${encodeURIComponent(state)}`,
      { cookie },
    );
    expect([response.status, response.headers.get('Location')]).toEqual([302, location]);
    expect(cookiesOf(response)).toBe('');
  }
  expect(await query('SELECT * FROM sessions')).toEqual([]);
});

const targets = [
  ['/caller/amara', '/caller/amara'],
  ['/dashboard?token=abc', '/dashboard?token=abc'],
  ['/', '/'],
  ['https://evil.example', '/dashboard'],
  ['/\\evil.example', '/dashboard'],
  ['/\t/evil.example', '/dashboard'],
  ['javascript:alert(1)', '/dashboard'],
  ['/ü', '/dashboard'],
  ['', '/dashboard'],
  ['/api/logout', '/dashboard'],
  ['/x/../api/logout', '/dashboard'],
  ['/%61pi/logout', '/dashboard'],
  ['/%2561pi/logout', '/dashboard'],
  ['/caller/%E0', '/dashboard'],
  ['/apiary', '/apiary'],
  ['/caller/%C3%BC', '/caller/%C3%BC'],
  ['/caller/ada?view=100%25', '/caller/ada?view=100%25'],
] as const;

it('the redirect after sign-in goes to the dashboard unless returnTo is a page of our site', async () => {
  app = await createTestApp({ bindings: NO_LIMITS });
  for (const [returnTo, location] of targets) {
    const { cookie, callback } = await startSignIn({ returnTo });
    const response = await app.request(callback, { cookie });
    expect([response.status, response.headers.get('Location')], returnTo).toEqual([302, location]);
    expect(attemptIn(cookie)).toMatchObject({ returnTo: location });
  }
});

/** Beginnings that browsers, proxies or URL parsers have taken for another site’s URL or for a script. */
const STARTS =
  '/|//|\\|/\\|/\t/|/\r\n/|/\u0000/|/\uFF0F|\uFF0F\uFF0F| |.|..|/./|/..//|/%2e|/%2F|/%5c|/%0a|@|:|;|?|#|https:|https://|' +
  'javascript:|data:text/html,|https://solcallers.test|/api|/%61pi|/x';
const returnPaths = fc
  .tuple(
    fc.array(fc.constantFrom(...STARTS.split('|')), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('evil.example', 'solcallers.test.evil.example', '1249763844', 'alert(1)', ''),
    fc.constantFrom('', '/', '/logout', '/%2e%2e', '?x=/dashboard', '#/dashboard'),
  )
  .map(([start, host, end]) => `${start.join('')}${host}${end}`);

it('the redirect after sign-in never leaves our site, whatever returnTo or the cookie contains', async () => {
  app = await createTestApp({ bindings: NO_LIMITS });
  const home = 'https://solcallers.test';
  const expectOwnPage = async (returnTo: string) => {
    const start = await app.request(`/api/auth/twitter?returnTo=${encodeURIComponent(returnTo)}`);
    const cookie = cookiesOf(start);
    const state = new URL(start.headers.get('Location') ?? '').searchParams.get('state') ?? '';
    const changed = attemptCookie({ ...attemptIn(cookie), returnTo });
    for (const each of [cookie, changed]) {
      const path = `/api/auth/twitter/callback?error=access_denied&state=${state}`;
      const response = await app.request(path, { cookie: each });
      expect(response.status).toBe(302);
      const target = new URL(response.headers.get('Location') ?? '', `${home}${path}`);
      expect([target.origin, target.username]).toEqual([home, '']);
      expect(target.pathname).not.toMatch(/^\/+api\b|^\/\//);
    }
  };
  await expectOwnPage(`/${'x'.repeat(5_000)}`);
  await fc.assert(fc.asyncProperty(returnPaths, expectOwnPage), { numRuns: 500, seed: 1 });
});

// Specification 2.16
it.each([
  { 'Sec-Fetch-Site': 'same-origin' },
  { 'Sec-Fetch-Site': 'none' },
  { Referer: 'https://solcallers.test/dashboard' },
])('logging out from a page of the app ends the session: %j', async (headers) => {
  const { cookie, get } = await app.signIn('amara_calls');
  const response = await app.request('/api/logout', { cookie, headers });
  expect([response.status, response.headers.get('Location')]).toEqual([302, '/']);
  for (const name of ['session', 'signed-in']) {
    expect(response.headers.getSetCookie().join()).toContain(`__Host-${name}=; Max-Age=0`);
  }
  expect(await query('SELECT * FROM sessions')).toEqual([]);
  await expectRefusal(get('/api/auth/user'), 'auth.required');
});

it.each([
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site' },
  { Referer: 'https://evil.example/' },
  { Origin: 'null' },
  {},
])(
  'logging out is ignored if the headers don’t prove that a page of the app sent the request: %j',
  async (headers) => {
    const { cookie, get } = await app.signIn('amara_calls');
    const before = await readDatabase();
    const response = await app.request('/api/logout', { cookie, headers });
    expect(response.status).toBe(302);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await readDatabase()).toEqual(before);
    await readResponse(get('/api/auth/user'));
  },
);

it('logging out without a session succeeds, and doesn’t end other users’ sessions', async () => {
  const other = await app.signIn('kenji_charts');
  expect((await app.request('/api/logout')).status).toBe(302);
  await readResponse(other.get('/api/auth/user'));
});

it.each([
  ['thirty days after its last use', [29 * DAY_MS, 29 * DAY_MS], 30 * DAY_MS],
  ['thirty days after sign-in if it is never used', [], 30 * DAY_MS],
  ['after ninety days even if it is used', [25 * DAY_MS, 25 * DAY_MS, 25 * DAY_MS, 15 * DAY_MS - 1], 1],
])('a session ends %s', async (_when, uses, last) => {
  const { get } = await app.signIn('amara_calls');
  for (const milliseconds of uses) {
    await app.advance(milliseconds);
    await readResponse(get('/api/auth/user'));
  }
  await app.advance(last);
  await expectRefusal(get('/api/auth/user'), 'auth.required');
});

it('a session is deleted by the cron after it has ended', async () => {
  await app.signIn('amara_calls');
  await app.advance(30 * DAY_MS);
  await app.runJobs('sessions');
  expect(await query('SELECT * FROM sessions')).toEqual([]);
});

it('a session is not found by a guessed, changed or hashed token', async () => {
  const { cookie } = await app.signIn('amara_calls');
  const token = tokenOf(cookie);
  for (const forged of ['', 'x', `${token}x`, token.toLowerCase(), hashToken(token)]) {
    await expectRefusal(
      app.request('/api/auth/user', { cookie: `__Host-session=${forged}` }),
      'auth.required',
    );
  }
  await expectRefusal(app.request('/api/auth/user', { cookie: `session=${token}` }), 'auth.required');
});

const foreign = [
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site' },
  { Origin: 'https://evil.example' },
  { Origin: 'null' },
  { Origin: 'https://solcallers.test.evil.example' },
  { Origin: 'http://solcallers.test' },
  { Referer: 'https://evil.example/page' },
] as readonly Record<string, string>[];

it('the cross-site check rejects a write from another site', async () => {
  const { cookie } = await app.signIn('amara_calls');
  const body = { bio: 'written by another site' };
  for (const headers of foreign) {
    await expectRefusalWithoutTrace(
      () => app.request('/api/user/profile', { method: 'PATCH', cookie, body, headers }),
      'request.cross_site',
    );
  }
});

it.each([{ 'Sec-Fetch-Site': 'same-origin' }, { Origin: 'https://solcallers.test' }])(
  'the cross-site check accepts a write from our own page, with the headers %j',
  async (headers) => {
    const { cookie } = await app.signIn('amara_calls');
    await readResponse(
      app.request('/api/user/profile', { method: 'PATCH', cookie, body: { bio: 'mine' }, headers }),
    );
  },
);
