import type { Keypair } from '@solana/web3.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { MAX_FREE_FOLLOWS } from '#schema/constants/money.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { MySubscription, Subscription } from '#schema/contracts/subscriptions.ts';
import { expectRefusal, expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import {
  createCaller,
  createPaidCaller,
  keepCallersActive,
  makeCall,
  MINTS,
  makeEndedCall,
} from '#test/people/callers.ts';
import { createFundedWallet } from '#test/payments/chain.ts';
import { query, readDatabase } from '#test/database/database.ts';
import { countersOf } from '#test/payments/payment-scene.ts';
import { pay } from '#test/payments/payments.ts';
import { insertRows } from '#test/database/insert-rows.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let follower: Person;

beforeEach(async () => {
  app = await createTestApp();
  follower = await app.signIn('follower');
});

const follow = (person: Person, callerId: string) => person.post('/api/subscriptions/free', { callerId });
const listMine = (person: Person) => readResponse<MySubscription[]>(person.get('/api/subscriptions/my'));
const followedCalls = (person: Person) => readResponse<TokenCall[]>(person.get('/api/subscriptions/calls'));
const profileOf = (caller: Person, viewer: Person) =>
  readResponse<CallerProfile>(viewer.get(`/api/callers/${caller.id}`));
const setFee = (caller: Person, monthlyFee: string | null) =>
  readResponse(caller.patch('/api/user/caller-profile', { monthlyFee }));
const periodsOf = (person: Person) =>
  query<{ starts_at: number; ends_at: number | null; status: string }>(
    'SELECT starts_at, ends_at, status FROM subscriptions WHERE subscriber_id = ? ORDER BY starts_at',
    person.id,
  );
/** Inserts free follows of that many made-up callers. */
const followMany = async (count: number) => {
  const ids = Array.from({ length: count }, (_, index) => `m${index}`);
  await insertRows(
    'users',
    ids.map((id) => ({ id })),
  );
  await insertRows(
    'subscriptions',
    ids.map((id) => ({ id, subscriber_id: follower.id, caller_id: id })),
  );
};
const countOf = async (caller: Person) => (await countersOf(caller))?.subscriber_count;

// Specification 4.6, 6.11
it('following a Free caller opens an open-ended subscription and raises the subscriber count', async () => {
  const caller = await createCaller(app, 'caller');
  const subscription = await readResponse<Subscription>(follow(follower, caller.id), 201);
  expect(subscription).toMatchObject({
    subscriberId: follower.id,
    callerId: caller.id,
    status: 'active',
    isActive: true,
    isCurrentlyActive: true,
    endDate: null,
    amountPaid: '0',
    payment: null,
  });
  expect(await countOf(caller)).toBe(1);
  expect((await profileOf(caller, follower)).viewer).toEqual({
    isOwner: false,
    isSubscribed: true,
    canSeeActiveCalls: true,
    accessEndsAt: null,
    boughtDays: null,
    canUnfollow: true,
  });
});

it('only one subscription is opened for eight simultaneous requests and a later request to follow a Free caller', async () => {
  const caller = await createCaller(app, 'caller');
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => readResponse<Subscription>(follow(follower, caller.id), 201)),
  );
  expect(new Set(responses.map(({ id }) => id)).size).toBe(1);
  expect(await countOf(caller)).toBe(1);
  const before = await readDatabase();
  await app.advance(1_000);
  expect(await readResponse(follow(follower, caller.id), 201)).toEqual(responses[0]);
  expect(await readDatabase()).toEqual(before);
});

it(`a user can follow at most ${MAX_FREE_FOLLOWS} callers for free at a time`, async () => {
  const [first, ...others] = [
    await createCaller(app, 'first'),
    await createCaller(app, 'second'),
    await createCaller(app, 'third'),
  ];
  await readResponse(follow(follower, first.id), 201);
  await followMany(MAX_FREE_FOLLOWS - 2);
  const statuses = await Promise.all(others.map(async ({ id }) => (await follow(follower, id)).status));
  expect(statuses.toSorted()).toEqual([201, 422]);
  const [refused] = others.filter((_, index) => statuses[index] === 422);
  if (!refused) throw new Error('Neither was refused');
  expect(await countOf(refused)).toBe(0);
  await expectRefusalWithoutTrace(() => follow(follower, refused.id), 'subscriptions.too_many');
  await readResponse(follow(follower, first.id), 201);
  await readResponse(follower.delete(`/api/subscriptions/free/${first.id}`));
  await readResponse(follow(follower, refused.id), 201);
  expect(await countOf(refused)).toBe(1);
});

// Specification 6.8
it('following oneself, an unknown caller or a Paid caller for free is rejected', async () => {
  const caller = await createCaller(app, 'caller');
  const paid = await createCaller(app, 'paid', '0.5');
  await expectRefusalWithoutTrace(() => follow(caller, caller.id), 'subscriptions.self');
  await expectRefusalWithoutTrace(() => follow(follower, 'nobody'), 'callers.not_found');
  await expectRefusalWithoutTrace(() => follow(caller, follower.id), 'callers.not_found');
  await expectRefusalWithoutTrace(() => follow(follower, paid.id), 'subscriptions.not_free');
});

it('followers of a caller who starts to charge see the end date, and lose access after thirty days', async () => {
  const { caller } = await createPaidCaller(app);
  await setFee(caller, null);
  await readResponse(follow(follower, caller.id), 201);
  await app.advance(5 * DAY_MS);
  await setFee(caller, '0.5');
  const end = app.clock.now() + 30 * DAY_MS;
  expect(await listMine(follower)).toMatchObject([
    {
      callerId: caller.id,
      isCurrentlyActive: true,
      endDate: new Date(end).toISOString(),
      monthlyFee: '0.5',
      canBeSubscribed: true,
    },
  ]);
  expect((await profileOf(caller, follower)).viewer).toEqual({
    isOwner: false,
    isSubscribed: true,
    canSeeActiveCalls: true,
    accessEndsAt: new Date(end).toISOString(),
    boughtDays: null,
    canUnfollow: true,
  });
  await setFee(caller, '0.6');
  expect((await periodsOf(follower)).map(({ ends_at }) => ends_at)).toEqual([end]);
  await app.advance(30 * DAY_MS);
  follower = await app.signIn('follower');
  await expectRefusal(follower.get(`/api/token-calls/caller/${caller.id}/active`), 'calls.not_entitled');
  expect(await listMine(follower)).toMatchObject([
    { isActive: false, isCurrentlyActive: false, status: 'expired' },
  ]);
});

describe('from Paid to Free', () => {
  let caller: Person;
  let payer: Keypair;
  beforeEach(async () => {
    ({ caller } = await createPaidCaller(app));
    payer = await createFundedWallet();
    await pay({ person: follower, payer, callerId: caller.id });
  });

  it('running subscriptions become open-ended when a Paid caller becomes Free', async () => {
    await setFee(caller, null);
    const periods = await periodsOf(follower);
    expect(periods.map(({ ends_at }) => ends_at === null)).toEqual([false, true]);
    expect(periods[1]?.starts_at).toBe(periods[0]?.ends_at);
    expect(await listMine(follower)).toMatchObject([
      { isActive: true, isCurrentlyActive: true, endDate: null, monthlyFee: null },
    ]);
    expect(await countOf(caller)).toBe(1);
    await app.advance(200 * DAY_MS);
    await app.runJobs('subscriptions');
    follower = await app.signIn('follower');
    expect(await countOf(caller)).toBe(1);
    expect(await listMine(follower)).toMatchObject([{ isActive: true, isCurrentlyActive: true }]);
  });

  it('lapsed subscriptions stay lapsed when a Paid caller becomes Free, until the user follows again', async () => {
    await app.advance(31 * DAY_MS);
    caller = await app.signIn('paid_caller');
    follower = await app.signIn('follower');
    await setFee(caller, null);
    expect(await listMine(follower)).toMatchObject([
      { isActive: false, canBeSubscribed: true, monthlyFee: null },
    ]);
    await readResponse(follow(follower, caller.id), 201);
    expect(await listMine(follower)).toMatchObject([
      { isActive: true, isCurrentlyActive: true, endDate: null },
    ]);
  });
});

// Specification 4.4, 4.5
it('a lapsed subscription gives no access, even before the cron marks it as expired', async () => {
  const { caller } = await createPaidCaller(app);
  await keepCallersActive();
  await pay({ person: follower, callerId: caller.id });
  await app.advance(30 * DAY_MS);
  follower = await app.signIn('follower');
  expect(await periodsOf(follower)).toMatchObject([{ status: 'active' }]);
  expect((await profileOf(caller, follower)).viewer).toEqual({
    isOwner: false,
    isSubscribed: false,
    canSeeActiveCalls: false,
    accessEndsAt: null,
    boughtDays: null,
    canUnfollow: false,
  });
  expect(await listMine(follower)).toMatchObject([
    { status: 'expired', isActive: false, isCurrentlyActive: false },
  ]);
  await app.runJobs('messages', 'subscriptions');
  expect(await periodsOf(follower)).toMatchObject([{ status: 'expired' }]);
  expect(await countOf(caller)).toBe(0);
  const afterCron = await readDatabase();
  await app.runJobs('messages', 'subscriptions');
  expect(await readDatabase()).toEqual(afterCron);
});

// Specification 2.69, 6.19
it('GET /api/subscriptions/caller/:id shows the caller all subscriptions, and other users only their own', async () => {
  const { caller } = await createPaidCaller(app);
  const second = await app.signIn('second');
  const payer = await createFundedWallet();
  const first = await pay({ person: follower, payer, callerId: caller.id });
  await pay({ person: second, payer, callerId: caller.id });
  const list = (person: Person) =>
    readResponse<Subscription[]>(person.get(`/api/subscriptions/caller/${caller.id}`));
  expect((await list(caller)).map(({ subscriberId }) => subscriberId).toSorted()).toEqual(
    [follower.id, second.id].toSorted(),
  );
  expect(await list(follower)).toEqual([first.subscription]);
  expect(await list(await app.signIn('stranger'))).toEqual([]);
  expect(await readResponse<CallerProfile>(caller.get(`/api/callers/${caller.id}`))).toMatchObject({
    earnings: '0.9',
    subscriberCount: 2,
  });
  expect(await profileOf(caller, follower)).not.toHaveProperty('earnings');
});

// Specification 2.81
it('GET /api/subscriptions/my returns one row per caller, from the running period’s start to the latest end', async () => {
  const { caller } = await createPaidCaller(app);
  const free = await createCaller(app, 'free');
  const payer = await createFundedWallet();
  const { subscription: running } = await pay({ person: follower, payer, callerId: caller.id });
  await app.advance(1_000);
  const { subscription } = await pay({ person: follower, payer, callerId: caller.id });
  await readResponse(follow(follower, free.id), 201);
  const rows = await listMine(follower);
  expect(rows.map(({ callerId }) => callerId).toSorted()).toEqual([caller.id, free.id].toSorted());
  expect(rows.find(({ callerId }) => callerId === caller.id)).toMatchObject({
    id: subscription.id,
    startDate: running.startDate,
    endDate: subscription.endDate,
    isCurrentlyActive: true,
  });
  await app.advance(31 * DAY_MS);
  follower = await app.signIn('follower');
  expect((await listMine(follower)).find(({ callerId }) => callerId === caller.id)).toMatchObject({
    startDate: subscription.startDate,
    endDate: subscription.endDate,
  });
  expect(await listMine(await app.signIn('stranger'))).toEqual([]);
});

// Specification 2.77, 2.78
it('GET /api/subscriptions/calls returns followed callers’ ended calls, and active calls if the user has access', async () => {
  const { caller } = await createPaidCaller(app);
  const other = await createCaller(app, 'other');
  const ended = await makeEndedCall({ caller });
  const active = await makeCall({ caller, mint: MINTS.JUP, price: 1 });
  await makeCall({ caller: other, mint: MINTS.BONK, price: 1 });
  expect(await followedCalls(follower)).toEqual([]);
  await pay({ person: follower, callerId: caller.id });
  expect((await followedCalls(follower)).map(({ id }) => id)).toEqual([active.id, ended.id]);
  await app.advance(30 * DAY_MS);
  expect((await followedCalls(await app.signIn('follower'))).map(({ id }) => id)).toEqual([ended.id]);
});
