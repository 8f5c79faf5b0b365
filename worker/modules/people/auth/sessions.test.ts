import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_SESSIONS, NEW_DEVICE_SHOWN_MS } from '#schema/constants/people.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { Way } from '#schema/contracts/ways.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { query } from '#test/database/database.ts';
import { connectTelegram, writtenTo } from '#test/messages/telegram.ts';
import { cookiesOf, createTestApp, type Person, type TestApp } from '#test/test-app.ts';
import { describeTime } from '../../../shared/plain-text.ts';

const WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1';

let app: TestApp;
let amara: Person;

beforeEach(async () => {
  app = await createTestApp();
  amara = await app.signIn('amara_calls', { userAgent: WINDOWS });
});

/** Signs in with a browser that has no cookies. */
const signInElsewhere = (userAgent = IPHONE, handle = 'amara_calls') =>
  app.signIn(handle, { cookie: '', userAgent });
const cookiesIn = ({ cookie, deviceCookie }: Person) => `${cookie}; ${deviceCookie}`;
const sessionsOf = async (person: Person) =>
  (await readResponse<Way[]>(person.get('/api/user/ways'))).filter(({ kind }) => kind === 'session');
const isSignedIn = async (person: Person) => (await person.get('/api/auth/user')).status === 200;
const idOf = async (person: Person) => {
  const current = (await sessionsOf(person)).find(({ isCurrent }) => isCurrent);
  return current?.id ?? '';
};

it('a new sign-in ends the previous session of the same browser, and no other session', async () => {
  const phone = await signInElsewhere();
  const kenji = await app.signIn('kenji_charts');
  const again = await app.signIn('amara_calls', { cookie: cookiesIn(amara), userAgent: WINDOWS });
  expect(await Promise.all([amara, phone, kenji, again].map(isSignedIn))).toEqual([false, true, true, true]);
  expect(again.cookie).not.toBe(amara.cookie);
  const other = await app.signIn('another_user', { cookie: cookiesIn(again) });
  expect(await Promise.all([phone, kenji, again, other].map(isSignedIn))).toEqual([true, true, false, true]);
  expect(await query('SELECT user_id FROM sessions')).toHaveLength(3);
});

it('a new sign-in ends no session if the browser’s session has ended or never existed', async () => {
  const phone = await signInElsewhere();
  await readResponse(phone.delete(`/api/user/ways/${await idOf(phone)}`));
  for (const cookie of [phone.cookie, '__Host-session=guessed', `__Host-session=${await idOf(amara)}`]) {
    expect(await isSignedIn(await app.signIn('amara_calls', { cookie }))).toBe(true);
  }
  expect(await isSignedIn(amara)).toBe(true);
});

it('a new sign-in that fails or is declined ends no session', async () => {
  const start = await app.request('/api/auth/twitter', { cookie: amara.cookie });
  const state = new URL(start.headers.get('Location') ?? '').searchParams.get('state') ?? '';
  const cookie = `${amara.cookie}; ${cookiesOf(start)}`;
  for (const result of ['code=guessed', 'error=access_denied']) {
    await app.request(`/api/auth/twitter/callback?${result}&state=${encodeURIComponent(state)}`, {
      cookie,
    });
  }
  expect(await isSignedIn(amara)).toBe(true);
});

it('the list of sessions has each session’s device, sign-in and last use, with the current session first', async () => {
  const signedInAt = new Date(app.clock.now()).toISOString();
  await app.advance(2 * DAY_MS);
  const phone = await signInElsewhere();
  await app.advance(HOUR_MS);
  expect(await sessionsOf(amara)).toMatchObject([
    {
      id: expect.stringMatching(/^[0-9a-f]{64}$/),
      name: 'Chrome on Windows',
      madeAt: signedInAt,
      lastUsedAt: new Date(app.clock.now()).toISOString(),
      isCurrent: true,
      isNew: false,
    },
    {
      id: await idOf(phone),
      name: 'Safari on iPhone',
      madeAt: new Date(app.clock.now() - HOUR_MS).toISOString(),
      lastUsedAt: new Date(app.clock.now() - HOUR_MS).toISOString(),
      isCurrent: false,
      isNew: true,
    },
  ]);
});

it('the list of sessions shows the last use even in the last thirty days of a session', async () => {
  for (let day = 0; day < 80; day += 20) {
    await app.advance(20 * DAY_MS);
    await readResponse(amara.get('/api/auth/user'));
  }
  await app.advance(HOUR_MS - 1);
  const [current] = await sessionsOf(amara);
  expect(Date.parse(current?.lastUsedAt ?? '')).toBe(app.clock.now() - HOUR_MS + 1);
});

it('the list of sessions has no expired sessions and no sessions of other users', async () => {
  await signInElsewhere(IPHONE, 'kenji_charts');
  await signInElsewhere();
  await app.advance(20 * DAY_MS);
  await readResponse(amara.get('/api/auth/user'));
  await app.advance(10 * DAY_MS);
  expect(await sessionsOf(amara)).toHaveLength(1);
});

it('a user has at most a hundred sessions: a further sign-in ends the least recently used session', async () => {
  const { id } = amara;
  await query(
    `INSERT INTO sessions (token_hash, user_id, created_at, expires_at, last_used_at, device_hash)
       SELECT 'other-' || value, ?, ?, ?, ? + value, '' FROM json_each(?)`,
    id,
    app.clock.now(),
    app.clock.now() + DAY_MS,
    app.clock.now(),
    JSON.stringify(Array.from({ length: MAX_SESSIONS + 5 }, (_, index) => index + 1)),
  );
  const latest = await app.signIn('amara_calls');
  const listed = await sessionsOf(latest);
  expect(listed.map((session) => session.id)).toEqual([
    await idOf(latest),
    ...Array.from({ length: MAX_SESSIONS - 1 }, (_, index) => `other-${MAX_SESSIONS + 5 - index}`),
  ]);
  expect(listed[1]?.name).toBe('Unknown device');
});

it('the list of sessions shows ids that do not work as session cookies', async () => {
  for (const { id } of await sessionsOf(amara)) {
    const cookie = `__Host-session=${id}`;
    await expectRefusal(app.request('/api/auth/user', { cookie }), 'auth.required');
  }
  const device = amara.deviceCookie.replace('device', 'session');
  await expectRefusal(app.request('/api/auth/user', { cookie: device }), 'auth.required');
});

it('a user can end one of their own sessions', async () => {
  const phone = await signInElsewhere();
  const tablet = await signInElsewhere();
  await readResponse(amara.delete(`/api/user/ways/${await idOf(phone)}`));
  expect(await Promise.all([amara, phone, tablet].map(isSignedIn))).toEqual([true, false, true]);
});

it('a user can end all their other sessions, but no session of another user', async () => {
  const others = [await signInElsewhere(), await signInElsewhere()];
  const kenji = await app.signIn('kenji_charts');
  await readResponse(amara.post('/api/user/ways/end-others', { keep: [] }));
  expect(await Promise.all([amara, kenji, ...others].map(isSignedIn))).toEqual([true, true, false, false]);
  expect(await sessionsOf(amara)).toMatchObject([{ isCurrent: true }]);
});

it('ending an unknown, ended or expired session, or another user’s, returns the same 404', async () => {
  const kenji = await app.signIn('kenji_charts');
  const [theirs, expired] = [await idOf(kenji), await idOf(await signInElsewhere())];
  const ended = await idOf(await signInElsewhere());
  await readResponse(amara.delete(`/api/user/ways/${ended}`));
  await query('UPDATE sessions SET expires_at = ? WHERE token_hash = ?', app.clock.now(), expired);
  const responses = await Promise.all(
    [theirs, ended, expired, 'unknown', '%00'].map(async (id) => {
      const response = await amara.delete(`/api/user/ways/${id}`);
      return [response.status, await response.text()];
    }),
  );
  expect(responses[0]?.[0]).toBe(404);
  expect(responses[0]?.[1]).toContain('ways.not_found');
  expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
  expect(await isSignedIn(kenji)).toBe(true);
});

describe('with Telegram connected', () => {
  let chatId: number;
  beforeEach(async () => {
    chatId = await connectTelegram(app, amara);
  });
  const received = async () => {
    expect(await app.sender.deliver()).toEqual([]);
    return writtenTo(chatId);
  };

  it('a sign-in from a new device is reported on Telegram, even if another device has the same label', async () => {
    for (const userAgent of [IPHONE, WINDOWS]) await signInElsewhere(userAgent);
    // Sending advances the clock.
    const when = describeTime(app.clock.now());
    const text = (label: string) =>
      `A new device signed in to your account.\n\nDevice: ${label}\nWhen: ${when}\n\nIf it wasn't you, change your password on X and log out of all other sessions there. Then log that device out in your settings.\n\nhttps://solcallers.test/settings/sign-ins`;
    expect((await received()).toSorted()).toEqual([text('Chrome on Windows'), text('Safari on iPhone')]);
    await app.runCron();
    expect(await received()).toHaveLength(2);
  });

  it('a sign-in from a new device is reported even if the device logs out immediately', async () => {
    const thief = await signInElsewhere();
    await app.request('/api/logout', { cookie: thief.cookie, headers: { 'Sec-Fetch-Site': 'same-origin' } });
    expect(await received()).toHaveLength(1);
  });

  it('a sign-in from a known device is not reported, even after a logout or the end of its session', async () => {
    await app.request('/api/logout', { cookie: amara.cookie, headers: { 'Sec-Fetch-Site': 'same-origin' } });
    const cookie = amara.deviceCookie;
    await app.signIn('amara_calls', { cookie, userAgent: WINDOWS });
    await app.advance(91 * DAY_MS);
    await app.runJobs('sessions');
    await app.signIn('amara_calls', { cookie, userAgent: WINDOWS });
    expect(await received()).toEqual([]);
  });

  it('a sign-in from a new device is reported if only another user has used the device', async () => {
    const kenji = await app.signIn('kenji_charts');
    await app.signIn('amara_calls', { cookie: kenji.deviceCookie });
    expect(await received()).toHaveLength(1);
  });

  it('a sign-in from a new device is not reported if the sign-in creates the account', async () => {
    await signInElsewhere(IPHONE, 'newcomer');
    expect(await query('SELECT * FROM facts')).toEqual([]);
    expect(await app.sender.events()).toEqual([]);
  });

  it('a sign-in from a new device succeeds even if the sender fails, and the cron reports it later', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    app.sender.failAfter(0);
    expect(await isSignedIn(await signInElsewhere())).toBe(true);
    expect(warn).toHaveBeenCalledOnce();
    warn.mockRestore();
    app.sender.failAfter(1);
    await app.runJobs('messages');
    expect(await received()).toHaveLength(1);
  });

  it('a new-device event for another user’s device sends no message', async () => {
    const kenji = await app.signIn('kenji_charts');
    const theirs = await connectTelegram(app, kenji);
    const [{ subject } = { subject: '' }] = await query<{ subject: string }>(
      'SELECT token_hash AS subject FROM devices WHERE user_id = ?',
      amara.id,
    );
    await app.sender.add({ kind: 'new_device', id: 'forged', userId: kenji.id, subject });
    expect(await app.sender.deliver()).toEqual([]);
    expect(await writtenTo(theirs)).toEqual([]);
  });

  it('the list of sessions marks a new device as new for a week, even if the device signs in again', async () => {
    await app.advance(MINUTE_MS);
    const phone = await signInElsewhere();
    await app.signIn('amara_calls', { cookie: cookiesIn(phone), userAgent: IPHONE });
    const flags = async () => (await sessionsOf(amara)).map(({ name, isNew }) => [name, isNew]);
    expect(await flags()).toEqual([
      ['Chrome on Windows', false],
      ['Safari on iPhone', true],
    ]);
    await app.advance(NEW_DEVICE_SHOWN_MS);
    expect(await flags()).toEqual([
      ['Chrome on Windows', false],
      ['Safari on iPhone', false],
    ]);
  });

  it('a device counts as new again 180 days after its last sign-in', async () => {
    await app.advance(180 * DAY_MS);
    await app.runJobs('sessions');
    expect(await query('SELECT * FROM devices')).toEqual([]);
    await app.signIn('amara_calls', { cookie: amara.deviceCookie });
    expect(await received()).toHaveLength(1);
  });

  it('sign-in stores only a hash of the device’s cookie, and replaces an invalid cookie', async () => {
    const token = amara.deviceCookie.replace('__Host-device=', '');
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(await query('SELECT * FROM devices'))).not.toContain(token);
    const other = await app.signIn('amara_calls', { cookie: '__Host-device=1' });
    expect(other.deviceCookie).toMatch(/^__Host-device=[\w-]{43}$/);
  });
});
