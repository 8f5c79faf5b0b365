import { beforeEach, expect, it } from 'vitest';
import type { CallerProfile, CallerSummary } from '#schema/contracts/callers.ts';
import { callerKeys } from '#schema/rules/people/look-alike-callers.ts';
import { readResponse } from '#test/responses.ts';
import { createCaller } from '#test/people/callers.ts';
import { countRows } from '#test/database/count-rows.ts';
import { query } from '#test/database/database.ts';
import { insertRows } from '#test/database/insert-rows.ts';
import { runScript } from '#test/database/run-script.ts';
import { addDerivedRows } from '#test/derived-rows.ts';
import { control, createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';
import { NO_LIMITS } from '#test/test-limits.ts';

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

const lookAlikeOf = async ({ id }: { id: string }): Promise<CallerSummary | null> =>
  (await readResponse<CallerProfile>(app.request(`/api/callers/${id}`))).lookAlike;

const setSubscribers = (caller: { id: string }, count: number) =>
  query('UPDATE callers SET paying_count = ? WHERE caller_id = ?', count, caller.id);
const verify = (caller: { id: string }) => query('UPDATE users SET is_verified = 1 WHERE id = ?', caller.id);

/** Creates a caller one second after the previous one. */
async function createLater(handle: string): Promise<Person> {
  await app.advance(1_000);
  return createCaller(app, handle);
}

interface Inserted {
  readonly id: string;
  readonly handle?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly since?: number;
  readonly subscribers?: number;
  readonly isVerified?: boolean;
}

/** Inserts a caller with a name that no account on the local X has. */
async function insertCaller(caller: Inserted): Promise<{ id: string }> {
  const { id, handle = id, firstName = '', lastName = '', since = 1, subscribers = 0 } = caller;
  const { handleKey, nameKey } = callerKeys({ handle, firstName, lastName });
  await insertRows('users', [
    {
      id,
      twitter_handle: handle,
      first_name: firstName,
      last_name: lastName,
      is_verified: Number(caller.isVerified ?? false),
    },
  ]);
  const keys = { handle_key: handleKey, handle_since: since, name_key: nameKey, name_since: since };
  await insertRows('callers', [{ caller_id: id, paying_count: subscribers, ...keys }]);
  await addDerivedRows();
  return { id };
}

it.each(['arnber_calls', 'AmberCalls', 'amber__ca11s'])(
  'the profile of @%s shows everybody the verified caller with a similar handle',
  async (handle) => {
    const known = await createCaller(app, 'amber_calls');
    await verify(known);
    const impostor = await createLater(handle);
    expect(await lookAlikeOf(impostor)).toEqual({
      id: known.id,
      firstName: 'Amber',
      lastName: 'Calls',
      twitterHandle: 'amber_calls',
      profileImageUrl: expect.any(String) as unknown,
      isVerified: true,
    });
    const reader = await app.signIn('reader');
    for (const viewer of [reader, impostor]) {
      const seen = await readResponse<CallerProfile>(viewer.get(`/api/callers/${handle}`));
      expect(seen.lookAlike?.id).toBe(known.id);
    }
    expect(await lookAlikeOf(known)).toBeNull();
  },
);

it.each([
  ['has the same name in Cyrillic letters', { firstName: 'Аmbеr', lastName: 'Rееd' }],
  ['has the verified caller’s handle as a name', { firstName: 'amber_calls', lastName: '' }],
  [
    'has the verified caller’s name as a handle',
    { firstName: 'Somebody', lastName: 'Else', handle: 'AmberReed' },
  ],
])('an impostor’s profile names the verified caller if the impostor %s', async (_what, names) => {
  const known = { firstName: 'Amber', lastName: 'Reed', handle: 'amber_calls', isVerified: true, since: 9 };
  await insertCaller({ id: 'known', ...known });
  const impostor = await insertCaller({ id: 'impostor', ...names });
  expect((await lookAlikeOf(impostor))?.id).toBe('known');
  expect(await lookAlikeOf({ id: 'known' })).toBeNull();
});

it('an impostor’s profile names a verified look-alike, or else the look-alike with the most subscribers', async () => {
  const impostor = await insertCaller({ id: 'impostor', handle: 'arnber', since: 9 });
  await insertCaller({ id: 'large', handle: 'amber_', since: 2, subscribers: 30 });
  expect((await lookAlikeOf(impostor))?.id).toBe('large');
  await insertCaller({ id: 'larger', handle: '_amber', since: 3, subscribers: 40 });
  expect((await lookAlikeOf(impostor))?.id).toBe('larger');
  await insertCaller({ id: 'verified', handle: 'AMBER', since: 8, isVerified: true });
  expect((await lookAlikeOf(impostor))?.id).toBe('verified');
});

it('a profile’s search for look-alikes reads at most 16 rows, even among 10,000 callers of the same name', async () => {
  const reads: number[] = [];
  const DB = countRows(testEnv.DB, ({ rows }) => void reads.push(rows));
  const counted = await createTestApp({ bindings: { ...NO_LIMITS, DB } });
  for (const numbers of [
    { from: 1, count: 1_000 },
    { from: 1_001, count: 9_000 },
  ]) {
    await runScript(
      `INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, is_verified, created_at, updated_at)
       SELECT 'user-' || i, i, 'handle_' || i, 'Amber', '', i = 700, 1, 1 FROM n;
       INSERT INTO callers (caller_id, search_text, handle_key, handle_since, name_key, name_since, paying_count,
         created_at, updated_at)
       SELECT 'user-' || i, '', 'amber', i, 'amber', i, 5 + i % 9, 1, 1 FROM n;`,
      numbers,
    );
    reads.length = 0;
    const profile = await readResponse<CallerProfile>(counted.request('/api/callers/user-999'));
    expect(profile.lookAlike?.id).toBe('user-700');
    expect(reads).toHaveLength(2);
    expect(reads[1]).toBeLessThanOrEqual(16);
  }
  reads.length = 0;
  await counted.request('/api/callers/user-700');
  expect(reads).toHaveLength(1);
});

it('a profile names no look-alike if its name and handle have no letter or digit', async () => {
  await insertCaller({ id: 'known', handle: '__', firstName: '🚀', isVerified: true });
  expect(await lookAlikeOf(await insertCaller({ id: 'other', handle: '___', firstName: '🌙' }))).toBeNull();
});

it('a well-known caller’s profile names no look-alike if an older account takes a similar handle later', async () => {
  const rogue = await createCaller(app, 'quiet_calls');
  await setSubscribers(rogue, 1_000);
  const known = await createLater('amber_calls');
  await setSubscribers(known, 40);
  await app.advance(1_000);
  await control('POST', '/x/rename', { handle: 'quiet_calls', newHandle: 'amber_ca1ls' });
  await app.signIn('amber_ca1ls');
  expect(await lookAlikeOf(known)).toBeNull();
  await setSubscribers(rogue, 39);
  expect((await lookAlikeOf(rogue))?.id).toBe(known.id);
  await control('POST', '/x/rename', { handle: 'amber_ca1ls', newHandle: 'quiet_calls' });
});

it('an impostor’s profile still names the well-known caller after that caller signs in again', async () => {
  const known = await createCaller(app, 'amber_calls');
  await setSubscribers(known, 40);
  const impostor = await createLater('arnber_calls');
  await app.advance(1_000);
  await app.signIn('amber_calls');
  expect((await lookAlikeOf(impostor))?.id).toBe(known.id);
});

it('the profile of an account that took a well-known caller’s handle names that caller', async () => {
  const known = await createCaller(app, 'Amber_Calls');
  await setSubscribers(known, 40);
  await control('POST', '/x/rename', { handle: 'Amber_Calls', newHandle: 'amber_was_here' });
  const taker = await createLater('amber_calls');
  expect(await lookAlikeOf(taker)).toMatchObject({
    id: known.id,
    twitterHandle: expect.stringMatching(/^user-\d+$/) as unknown,
  });
  expect(await lookAlikeOf(known)).toBeNull();
  await control('POST', '/x/rename', { handle: 'amber_calls', newHandle: `gone${Date.now() % 100_000}` });
  await control('POST', '/x/rename', { handle: 'amber_was_here', newHandle: 'Amber_Calls' });
});
