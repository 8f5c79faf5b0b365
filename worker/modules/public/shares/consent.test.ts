import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FRESH_SIGN_IN_MS } from '#schema/constants/people.ts';
import { X_REFRESH_CLAIM_MS, X_REFRESH_LOST_MS, X_TOKEN_TIMEOUT_MS } from '#schema/constants/public.ts';
import { HOUR_MS } from '#schema/constants/time.ts';
import { expectRefusal, expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import { query, readDatabase } from '#test/database/database.ts';
import { interceptX } from '#test/images/intercept-x.ts';
import {
  respondToConsent,
  createSharer,
  removeAvatar,
  isLiveAtX,
  plainTokensOf,
  readXTokens,
  requestsToX,
  tweetsOf,
} from '#test/images/shares.ts';
import { control, cookiesOf, createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';
import { createTokenCipher } from '../../../shared/token-cipher.ts';

let app: TestApp;
let caller: Person;
let share: Awaited<ReturnType<typeof createSharer>>['share'];
const cipher = createTokenCipher(testEnv.X_TOKENS_KEY);

beforeEach(async () => {
  app = await createTestApp();
  ({ caller, share } = await createSharer(app));
});

const allow = (options: Partial<Parameters<typeof respondToConsent>[0]> = {}) =>
  respondToConsent({ app, person: caller, ...options });
const plainTokens = () => plainTokensOf(caller);

interface IssuedTokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Collects the tokens that X issues until the mocks are restored. */
function watchTokens(): IssuedTokens[] {
  const issued: IssuedTokens[] = [];
  interceptX('/oauth2/token', async (send) => {
    const response = await send();
    issued.push(await response.clone().json<IssuedTokens>());
    return response;
  });
  return issued;
}

/** Asserts that X issued `count` pairs of tokens and accepts none of them any more. */
async function expectRevoked(issued: readonly IssuedTokens[], count: number) {
  vi.restoreAllMocks();
  expect(issued).toHaveLength(count);
  for (const { access_token: access, refresh_token: refresh } of issued) {
    expect([await isLiveAtX.access(access), await isLiveAtX.refresh(refresh)]).toEqual([false, false]);
  }
}

it('the first share is refused, with links to permit posting on X and to post by hand', async () => {
  const { error } = await expectRefusalWithoutTrace(() => share(), 'shares.consent_needed');
  expect(error['authorizeUrl']).toBe('/api/auth/twitter?share=1');
  expect(error['composeUrl']).toBe(`${testEnv.X_API_URL}/intent/post`);
  expect(await tweetsOf(caller.handle)).toEqual([]);
});

it('a signed-out visitor who wants to permit posting gets an error page instead of a redirect to X', async () => {
  for (const cookie of ['', '__Host-session=forged']) {
    await expectRefusalWithoutTrace(
      () => app.request('/api/auth/twitter?share=1', { cookie }),
      'auth.required',
    );
  }
  const page = await app.request('/api/auth/twitter?share=1', {
    headers: { 'Sec-Fetch-Mode': 'navigate' },
  });
  expect([page.status, page.headers.get('Location'), page.headers.getSetCookie()]).toEqual([401, null, []]);
  expect(await page.text()).toContain('please sign in');
});

it('a user who permits posting returns to the same page, and the next share is posted', async () => {
  const response = await allow({ returnTo: '/caller/ada?view=1' });
  expect([response.status, response.headers.get('Location')]).toEqual([302, '/caller/ada?view=1']);
  await readResponse(share());
});

it('permitting posting counts as a sign-in: it replaces the session, and the device isn’t new', async () => {
  const switchOn = () => caller.patch('/api/user/telegram-calls', { isOn: true });
  const { cookie: before } = caller;
  await app.advance(FRESH_SIGN_IN_MS);
  await expectRefusal(switchOn(), 'auth.fresh_sign_in_needed');
  await allow();
  await expectRefusal(switchOn(), 'telegram.not_connected');
  await expectRefusal(app.request('/api/auth/user', { cookie: before }), 'auth.required');
  expect(await query('SELECT created_at FROM sessions')).toEqual([{ created_at: app.clock.now() }]);
  expect(await query("SELECT * FROM facts WHERE kind = 'new_device'")).toEqual([]);
});

it('a user who declines to permit posting on X returns to the page, and nothing is stored', async () => {
  const start = await app.request('/api/auth/twitter?share=1&returnTo=/dashboard', {
    cookie: caller.cookie,
  });
  const state = new URL(start.headers.get('Location') ?? '').searchParams.get('state') ?? '';
  const before = await readDatabase();
  const response = await app.request(`/api/auth/twitter/callback?error=access_denied&state=${state}`, {
    cookie: `${cookiesOf(start)}; ${caller.cookie}`,
  });
  expect([response.status, response.headers.get('Location')]).toEqual([302, '/dashboard']);
  expect(await readDatabase()).toEqual(before);
});

it('a permission to post that comes from another X account is rejected and revoked at X', async () => {
  const before = await readDatabase();
  const requests = await requestsToX(async () => {
    const { message } = await expectRefusal(allow({ as: 'kenji_charts' }), 'shares.other_account');
    expect(message).toContain('@kenji_charts');
  });
  expect(requests.slice(-2)).toEqual(['POST /x/2/oauth2/revoke', 'POST /x/2/oauth2/revoke']);
  expect(await readDatabase()).toEqual(before);
  await expectRefusal(share(), 'shares.consent_needed');
});

it('X’s redirect after the user permits posting is rejected without a session, and nothing is stored', async () => {
  const before = await readDatabase();
  for (const cookie of ['', '__Host-session=forged']) {
    await expectRefusal(allow({ cookie }), 'auth.required');
  }
  expect(await readDatabase()).toEqual(before);
});

it('a permission to post that lacks scopes is rejected and revoked at X', async () => {
  const start = await app.request('/api/auth/twitter?share=1', { cookie: caller.cookie });
  const less = new URL(start.headers.get('Location') ?? '');
  less.searchParams.set('scope', 'tweet.read users.read tweet.write offline.access');
  const responded = await fetch(`${less}&login_as=${caller.handle}`, { redirect: 'manual' });
  const { pathname, search } = new URL(responded.headers.get('Location') ?? '');
  const cookie = `${cookiesOf(start)}; ${caller.cookie}`;
  const requests = await requestsToX(() =>
    expectRefusalWithoutTrace(
      () => app.request(`${pathname}${search}`, { cookie }),
      'shares.consent_incomplete',
    ),
  );
  expect(requests.slice(-2)).toEqual(['POST /x/2/oauth2/revoke', 'POST /x/2/oauth2/revoke']);
  await expectRefusalWithoutTrace(
    () => app.request(`${pathname}${search.replace(/code=[^&]+/, 'code=guessed')}`, { cookie }),
    'auth.attempt_invalid',
  );
});

it.each([{ status: 503 }, { drop: true }])(
  'a permission to post is revoked at X if X does not tell which account gave the permission: %j',
  async (failure) => {
    await control('POST', '/faults', { service: 'x', path: 'users/me', ...failure, count: 1 });
    const issued = watchTokens();
    const before = await readDatabase();
    await expectRefusal(allow(), 'auth.provider_unavailable');
    expect(await readDatabase()).toEqual(before);
    await expectRevoked(issued, 1);
  },
);

it('a permission to post is revoked at X if the tokens cannot be stored', async () => {
  await query("CREATE TRIGGER no_tokens BEFORE INSERT ON x_tokens BEGIN SELECT RAISE(ABORT, 'full'); END");
  const issued = watchTokens();
  try {
    expect((await allow()).status).toBe(500);
  } finally {
    await query('DROP TRIGGER no_tokens');
  }
  await expectRevoked(issued, 1);
});

it('a permission to post remains after the user signs out and in again', async () => {
  await allow();
  await app.request('/api/logout', { cookie: caller.cookie, headers: { 'Sec-Fetch-Site': 'same-origin' } });
  const signedInAgain = await app.signIn(caller.handle);
  await removeAvatar(caller.id);
  await readResponse(share('again', signedInAgain));
});

it('stored X tokens are encrypted in every column, and can be decrypted only for their owner', async () => {
  await allow();
  const [accessToken, refreshToken] = await plainTokens();
  for (const token of [accessToken, refreshToken]) {
    expect(token).toMatch(/^[\w-]{60,}$/);
    expect(JSON.stringify(await readDatabase())).not.toContain(token);
  }
  const [row] = await readXTokens();
  const ciphertext = row?.access_token_ciphertext ?? '';
  expect(await cipher.decrypt(ciphertext, 'somebody else')).toBeNull();
  expect(await createTokenCipher(btoa('k'.repeat(32))).decrypt(ciphertext, caller.id)).toBeNull();
  expect(await cipher.decrypt(`${ciphertext.slice(0, -4)}AAAA`, caller.id)).toBeNull();
});

it('stored X tokens are encrypted differently each time', async () => {
  const texts = await Promise.all([1, 2].map(() => cipher.encrypt('token', 'owner')));
  expect(texts[0]).not.toBe(texts[1]);
  expect(await Promise.all(texts.map((text) => cipher.decrypt(text, 'owner')))).toEqual(['token', 'token']);
});

it('stored X tokens that are encrypted for another user are deleted, and the share needs permission', async () => {
  await allow();
  const { caller: other, share: shareOther } = await createSharer(app);
  await query('UPDATE x_tokens SET user_id = ?', other.id);
  await expectRefusal(shareOther(), 'shares.consent_needed');
  expect(await readXTokens()).toEqual([]);
  expect(await tweetsOf(caller.handle)).toEqual([]);
});

describe('two hours after a consent', () => {
  beforeEach(async () => {
    await allow();
    await app.advance(2 * HOUR_MS);
  });

  it('an expired access token is refreshed only once for twenty simultaneous shares', async () => {
    // Every sleep would advance the shared test clock, so all sleeps are replaced by a wait for the first
    // share.
    const refreshed = Promise.withResolvers<void>();
    vi.spyOn(app.clock, 'sleep').mockReturnValue(refreshed.promise);
    let statuses: number[] = [];
    const requests = await requestsToX(async () => {
      const shares = Array.from({ length: 20 }, (_, index) => share(`share ${index}`));
      await Promise.race(shares);
      refreshed.resolve();
      const responses = await Promise.all(shares);
      statuses = responses.map(({ status }) => status);
    });
    expect(statuses).toEqual(Array(20).fill(200));
    const countOf = (request: string) => requests.filter((each) => each === request).length;
    expect([
      countOf('POST /x/2/oauth2/token'),
      countOf('POST /x/2/media/upload'),
      countOf('POST /x/2/tweets'),
    ]).toEqual([1, 20, 20]);
    expect((await tweetsOf(caller.handle)).map(({ text }) => text).toSorted()).toEqual(
      Array.from({ length: 20 }, (_, index) => `share ${index}`).toSorted(),
    );
    expect((await readXTokens())[0]?.expires_at).toBeGreaterThan(app.clock.now());
  });

  it('an expired access token is deleted if X refuses to refresh it, and the share needs permission', async () => {
    const [, refreshToken] = await plainTokens();
    // X accepts each refresh token only once.
    expect(await isLiveAtX.refresh(refreshToken)).toBe(true);
    await expectRefusal(share(), 'shares.consent_needed');
    expect(await readXTokens()).toEqual([]);
    await allow();
    await readResponse(share());
  });

  it.each([{ status: 503 }, { drop: true }])(
    'an expired access token stays stored while X is down, and the next share refreshes it: %j',
    async (failure) => {
      const before = await plainTokens();
      await control('POST', '/faults', { service: 'x', path: 'oauth2/token', ...failure, count: 1 });
      await expectRefusal(share(), 'shares.x_unavailable');
      expect(await plainTokens()).toEqual(before);
      await readResponse(share());
    },
  );

  it('a refused client secret keeps the permission and is logged, and the next share works', async () => {
    const warnings = vi.spyOn(console, 'warn').mockReturnValue();
    await control('POST', '/x/refuse-client', {});
    const { message } = await expectRefusal(share(), 'shares.x_unavailable');
    expect(message).toContain("SolCallers can't post on X at the moment. Nothing was posted.");
    expect(warnings.mock.calls.join()).toContain('x.client_refused');
    expect(await readXTokens()).toMatchObject([{ refresh_token_ciphertext: expect.any(String) }]);
    await control('DELETE', '/x/credits');
    await readResponse(share());
  });

  it('an expired access token stays stored if another request’s refresh takes too long', async () => {
    expect(X_REFRESH_CLAIM_MS).toBeGreaterThan(X_TOKEN_TIMEOUT_MS);
    const [{ refresh_token_ciphertext: claimed } = { refresh_token_ciphertext: null }] = await readXTokens();
    await query('UPDATE x_tokens SET refresh_token_ciphertext = NULL, updated_at = ?', app.clock.now());
    const before = app.clock.now();
    await expectRefusalWithoutTrace(() => share(), 'shares.x_unavailable');
    expect(app.clock.now() - before).toBeGreaterThanOrEqual(X_REFRESH_CLAIM_MS);
    // Puts the refresh token back, as the other request does when its refresh fails.
    await query('UPDATE x_tokens SET refresh_token_ciphertext = ?', claimed);
    await readResponse(share());
  });

  it('an expired access token is deleted if its refresh is unfinished for ten minutes', async () => {
    await query('UPDATE x_tokens SET refresh_token_ciphertext = NULL, updated_at = ?', app.clock.now());
    await app.advance(X_REFRESH_LOST_MS - 1);
    await expectRefusalWithoutTrace(() => share(), 'shares.x_unavailable');
    await app.advance(1);
    await expectRefusal(share(), 'shares.consent_needed');
    expect(await readXTokens()).toEqual([]);
  });
});

describe('with a fresh consent', () => {
  beforeEach(async () => {
    await allow();
  });

  it('an unexpired access token that X refuses is refreshed once, and the tweet is posted', async () => {
    const [accessToken] = await plainTokens();
    await control('POST', '/faults', { service: 'x', path: 'media/upload', status: 401, count: 1 });
    await readResponse(share());
    expect((await plainTokens())[0]).not.toBe(accessToken);
    expect(await tweetsOf(caller.handle)).toHaveLength(1);
  });

  it('if X refuses an access token and its replacement, both are deleted and the replacement is revoked', async () => {
    const [accessToken] = await plainTokens();
    const issued = watchTokens();
    await control('POST', '/faults', { service: 'x', path: 'media/upload', status: 401, count: 2 });
    await expectRefusal(share(), 'shares.consent_needed');
    expect(await readXTokens()).toEqual([]);
    expect(await tweetsOf(caller.handle)).toEqual([]);
    await expectRevoked(issued, 1);
    expect(accessToken).not.toBe(issued[0]?.access_token);
  });

  it('the tokens of a newer consent stay stored after X refuses an older access token', async () => {
    let uploads = 0;
    interceptX('/2/media/upload', async () => {
      if (++uploads === 2) await allow();
      return new Response('{}', { status: 401 });
    });
    await expectRefusal(share(), 'shares.consent_needed');
    vi.restoreAllMocks();
    await readResponse(share());
  });
});
