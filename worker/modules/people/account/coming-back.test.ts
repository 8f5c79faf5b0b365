import { beforeEach, expect, it } from 'vitest';
import { FREE_TO_PAID_GRACE_MS } from '#schema/constants/money.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { CallerListItem, CallerProfile } from '#schema/contracts/callers.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { query, readDatabase } from '#test/database/database.ts';
import {
  callBody,
  createCaller,
  createPaidCaller,
  makeCall,
  makeEndedCall,
  MINTS,
  proveWallet,
} from '#test/people/callers.ts';
import { act, createOperatedApp } from '#test/people/operators.ts';
import { createFundedWallet } from '#test/payments/chain.ts';
import { pay } from '#test/payments/payments.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import type { Person, TestApp } from '#test/test-app.ts';

let app: TestApp;
let operator: Person;

beforeEach(async () => {
  ({ app, operator } = await createOperatedApp());
});

const remove = (person: Person) => readResponse(person.post('/api/user/deletion', { handle: person.handle }));
const becomeCaller = (person: Person, subscriptionPrice = '') =>
  readResponse<CurrentUser>(person.post('/api/user/become-caller', { subscriptionPrice }), 201);
const profileOf = (usernameOrId: string) =>
  readResponse<CallerProfile>(app.request(`/api/callers/${usernameOrId}`));
const places = async () =>
  (await readResponse<CallerListItem[]>(app.request('/api/callers?sort=avgReturn'))).map(
    ({ twitterHandle }) => twitterHandle,
  );

it('a deleted caller who signs in again gets the same, emptied account, and others still see “Deleted caller”', async () => {
  const { caller } = await createPaidCaller(app, { handle: 'returning' });
  await readResponse(caller.patch('/api/user/profile', { bio: 'A canary bio' }));
  const call = await makeCall({ caller, mint: MINTS.BONK, price: 1, thesis: 'A canary thesis' });
  await readResponse(caller.patch(`/api/token-calls/${call.id}/end`));
  await remove(caller);

  const again = await app.signIn('returning');
  expect(again.id).toBe(caller.id);
  expect(await readResponse<CurrentUser>(again.get('/api/auth/user'))).toMatchObject({
    twitterHandle: 'returning',
    isCaller: false,
    bio: null,
    walletAddress: null,
    monthlyFee: null,
  });
  expect(JSON.stringify(await readDatabase())).not.toContain('canary');
  expect(await profileOf(caller.id)).toMatchObject({
    firstName: 'Deleted caller',
    twitterHandle: `deleted-${caller.id}`,
    profileImageUrl: null,
    canBeSubscribed: false,
    endedCalls: 1,
  });
  await expectRefusal(app.request('/api/callers/returning'), 'callers.not_found');
  expect(await places()).not.toContain('returning');
  expect((await app.request(`/api/images/callers/${caller.id}/1`)).status).toBe(404);
  const body = callBody({ caller: again, mint: MINTS.WIF, entryPrice: '1' });
  await expectRefusal(again.post('/api/token-calls', body), 'users.not_a_caller');
  await app.signIn('returning');
  const names = await query('SELECT 1 FROM log_entries WHERE text IS NOT NULL AND caller_id = ?', caller.id);
  expect(names).toEqual([]);
});

it('a caller can’t improve their place in a ranking by deleting the account and signing in again', async () => {
  const handles = ['ahead', 'behind'];
  const [ahead, behind] = [await createCaller(app, 'ahead'), await createCaller(app, 'behind')];
  for (const mint of [MINTS.BONK, MINTS.WIF]) {
    await makeEndedCall({ caller: ahead, mint, to: 1.5 });
    await makeEndedCall({ caller: behind, mint, to: 0.5 });
  }
  const shown = async () => (await places()).filter((handle) => handles.includes(handle));
  const before = await shown();
  const profile = await profileOf('behind');
  await remove(behind);
  expect(await shown()).toEqual(['ahead']);

  const again = await app.signIn('behind');
  await becomeCaller(again);

  expect(await shown()).toEqual(before);
  const { rankedCalls, avgReturn, winRate, createdAt, endedCalls } = profile;
  const kept = { id: behind.id, rankedCalls, avgReturn, winRate, createdAt, endedCalls };
  expect(await profileOf('behind')).toMatchObject(kept);
  await makeEndedCall({ caller: again, mint: MINTS.JUP });
  expect(await profileOf('behind')).toMatchObject({ endedCalls: endedCalls + 1 });
  const log = await query<{ kind: string }>(
    'SELECT kind FROM log_entries WHERE caller_id = ? ORDER BY id',
    behind.id,
  );
  const first = ['named', 'opened', 'ended', 'opened', 'ended', 'deleted'];
  const record = [...first, 'named', 'opened', 'ended'];
  expect(log.map(({ kind }) => kind)).toEqual(record);
});

it('a suspended caller who deletes the account and becomes a caller again is still suspended', async () => {
  const caller = await createCaller(app, 'suspended');
  await makeEndedCall({ caller });
  await act(operator, { action: 'suspend', subjectId: caller.id });
  await remove(caller);
  const again = await app.signIn('suspended');
  await becomeCaller(again);
  expect(again.id).toBe(caller.id);
  expect(await profileOf('suspended')).toMatchObject({ isSuspended: true, canBeSubscribed: false });
  expect(await places()).not.toContain('suspended');
  await act(operator, { action: 'unsuspend', subjectId: caller.id });
  expect(await places()).toContain('suspended');
});

it('lifting a deleted caller’s suspension takes effect when they become a caller again', async () => {
  const caller = await createCaller(app, 'suspended');
  await act(operator, { action: 'suspend', subjectId: caller.id });
  await remove(caller);
  const again = await app.signIn('suspended');
  await act(operator, { action: 'unsuspend', subjectId: caller.id });
  expect(await profileOf(caller.id)).toMatchObject({ isSuspended: true, firstName: 'Deleted caller' });
  await becomeCaller(again);
  expect(await profileOf('suspended')).toMatchObject({ isSuspended: false });
});

it('a deleted caller who becomes a Paid caller again is paid at a newly verified wallet', async () => {
  const { caller } = await createPaidCaller(app, { handle: 'returning' });
  await remove(caller);
  const again = await app.signIn('returning');
  const wallet = await createFundedWallet(1);
  await becomeCaller(again, '0.7');
  expect((await profileOf('returning')).canBeSubscribed).toBe(false);
  await proveWallet(again, wallet);
  const follower = await app.signIn('follower');
  await pay({ person: follower, callerId: again.id });
  expect(await profileOf('returning')).toMatchObject({
    monthlyFee: '0.7',
    payoutAddress: wallet.publicKey.toBase58(),
  });
});

it('a deleted caller who becomes a caller again doesn’t count as silent in the first seven days', async () => {
  const { caller } = await createPaidCaller(app, { handle: 'returning' });
  await makeEndedCall({ caller });
  await remove(caller);
  await app.advance(60 * DAY_MS);
  const again = await app.signIn('returning');
  await becomeCaller(again, '0.7');
  await proveWallet(again, await createFundedWallet(1));
  await pay({ person: await app.signIn('follower'), callerId: again.id });
  const days = async () => {
    await app.runJobs('subscriptions');
    return (await query('SELECT 1 FROM silent_days')).length;
  };
  await app.advance(7 * DAY_MS - MINUTE_MS);
  expect(await days()).toBe(0);
  await app.advance(DAY_MS);
  expect(await days()).toBe(1);
});

it('free followers of a deleted caller who becomes a Paid caller again have access for 30 more days', async () => {
  const caller = await createCaller(app, 'returning');
  const follower = await app.signIn('follower');
  await readResponse(follower.post('/api/subscriptions/free', { callerId: caller.id }), 201);
  await remove(caller);
  await becomeCaller(await app.signIn('returning'), '0.7');
  expect(await query('SELECT ends_at FROM subscriptions')).toEqual([
    { ends_at: app.clock.now() + FREE_TO_PAID_GRACE_MS },
  ]);
});

it('simultaneous sign-ins of a deleted caller all open the same account', async () => {
  const caller = await createCaller(app, 'returning');
  await remove(caller);
  const people = await Promise.all(Array.from({ length: 4 }, () => app.signIn('returning', { cookie: '' })));
  expect(new Set(people.map(({ id }) => id))).toEqual(new Set([caller.id]));
});

it('a deleted caller can’t sign in before all texts are erased', async () => {
  const caller = await createCaller(app, 'returning');
  await remove(caller);
  await query('UPDATE users SET erased_at = NULL WHERE id = ?', caller.id);
  const before = await query('SELECT * FROM users ORDER BY id');
  await expect(app.signIn('returning')).rejects.toThrow('auth.deletion_running');
  expect(await query('SELECT * FROM users ORDER BY id')).toEqual(before);
  await app.advance(MINUTE_MS);
  await app.services.accountDeletion.eraseRest();
  expect((await app.signIn('returning')).id).toBe(caller.id);
});

it('the database ignores every change of a deleted account, except a change that only reopens the account', async () => {
  const { caller } = await createPaidCaller(app, { handle: 'returning' });
  await act(operator, { action: 'suspend', subjectId: caller.id });
  const person = await app.signIn('person');
  await remove(caller);
  await remove(person);
  const before = await query('SELECT * FROM users ORDER BY id');
  const open = 'deleted_at = NULL, erased_at = NULL';
  for (const change of [
    "first_name = 'Back'",
    "x_user_id = '1'",
    'deleted_at = NULL',
    'x_id_hash = NULL',
    'left_at = NULL',
    `${open}, is_suspended = 0`,
    `${open}, is_verified = 1`,
    `${open}, is_hidden = 1`,
    `${open}, left_at = NULL`,
    `${open}, x_id_hash = 'other'`,
    `${open}, bio = 'Hello'`,
    `${open}, created_at = 1`,
  ]) {
    await query(`UPDATE users SET ${change} WHERE id = ?`, caller.id);
  }
  await query(`UPDATE users SET ${open} WHERE id = ?`, person.id);
  expect(await query('SELECT * FROM users ORDER BY id')).toEqual(before);
  await query(`UPDATE users SET ${open} WHERE id = ?`, caller.id);
  expect(await query('SELECT deleted_at, is_suspended FROM users WHERE id = ?', caller.id)).toEqual([
    { deleted_at: null, is_suspended: 1 },
  ]);
});
