import { beforeEach, expect, it } from 'vitest';
import { DAY_MS } from '#schema/constants/time.ts';
import { priceOf } from '#schema/rules/money/lengths.ts';
import { query } from '#test/database/database.ts';
import { insertRows } from '#test/database/insert-rows.ts';
import { createPaidCaller } from '#test/people/callers.ts';
import { createFundedWallet } from '#test/payments/chain.ts';
import {
  countersOf,
  createPaymentScene,
  listPeriods,
  SCENE_FEE,
  settle,
  type PaymentScene,
} from '#test/payments/payment-scene.ts';
import { claimBody, land, openIntent, pay, signPayment } from '#test/payments/payments.ts';
import { readResponse } from '#test/responses.ts';

let scene: PaymentScene;

beforeEach(async () => {
  scene = await createPaymentScene();
});

const daysOf = async () =>
  (await listPeriods()).map(({ starts_at, ends_at }) => ((ends_at ?? 0) - starts_at) / DAY_MS);

/** Inserts ranked calls that the caller ended so many days ago. */
const insertEnded = (daysAgo: readonly number[], fields = {}) =>
  insertRows(
    'calls',
    daysAgo.map((days) => ({
      id: `ended-${days}`,
      caller_id: scene.caller.id,
      ended_at: scene.app.clock.now() - days * DAY_MS,
      end_price: '1',
      change_percent: 0,
      ...fields,
    })),
  );
const STEADY = [10, 40, 70];

const refuse = async (body: object) => {
  const response = await scene.follower.post('/api/solana/get-latest-blockhash', {
    callerId: scene.caller.id,
    ...body,
  });
  return [response.status, (await response.json<{ error?: { code: string } }>()).error?.code];
};
const lengthsOf = async () =>
  (await openIntent(scene.follower, scene.caller.id)).lengths.map(({ days }) => days);

it.each([
  [7, '0.116666667', 0],
  [30, '0.5', 1],
  [90, '1.5', 1],
] as const)('a payment for %s days buys them for %s SOL', async (days, totalAmount, paying) => {
  const { follower, caller } = scene;
  await insertEnded(STEADY);
  const { subscription, signature } = await pay({ person: follower, callerId: caller.id, days });
  expect(await daysOf()).toEqual([days]);
  expect(subscription.payment).toMatchObject({ days, monthlyFee: '0.5', totalAmount });
  const { callerLamports } = priceOf(SCENE_FEE, days);
  const earned = { earned_lamports: Number(callerLamports), subscriber_count: 1, paying_count: paying };
  expect(await countersOf(caller)).toEqual(earned);
  expect(await readResponse(follower.get(`/api/payments/${signature}`))).toMatchObject({ days, totalAmount });
  expect(await readResponse(follower.get(`/api/callers/${caller.id}`))).toMatchObject({
    viewer: { boughtDays: days },
  });
});

it('a claim with the sum instead of the monthly fee is refused', async () => {
  const { follower, caller, payer, app } = scene;
  const terms = await openIntent(follower, caller.id, { days: 7 });
  const signature = await land(signPayment({ terms, payer }));
  await app.advance(2_000);
  const body = claimBody({ terms, callerId: caller.id, signature });
  const wrong = await follower.post('/api/subscriptions', { ...body, monthlyFee: body.totalAmount });
  expect(wrong.status).toBe(422);
  await readResponse(follower.post('/api/subscriptions', body), 201);
});

it('payments of two tabs for two lengths both count, in either order', async () => {
  const { follower, caller, payer } = scene;
  const [week, month] = [
    await openIntent(follower, caller.id, { days: 7 }),
    await openIntent(follower, caller.id, { days: 30 }),
  ];
  await land(signPayment({ terms: month, payer }));
  await land(signPayment({ terms: week, payer }));
  await settle(scene);
  expect((await daysOf()).toSorted()).toEqual([30, 7]);
  const [first, second] = await listPeriods();
  expect(second?.starts_at).toBe(first?.ends_at);
});

it('access can’t be bought over 120 days ahead, and open payments count until they are replaced', async () => {
  const { follower, caller } = scene;
  await insertEnded(STEADY);
  await pay({ person: follower, callerId: caller.id, days: 30 });
  const { intent, lengths } = await openIntent(follower, caller.id);
  expect(lengths.map(({ days }) => days)).toEqual([7, 30, 90]);
  expect(await refuse({ days: 90 })).toEqual([422, 'payments.too_far_ahead']);
  const quarter = { days: 90, replaces: intent.id };
  expect(await refuse(quarter)).toEqual([201, undefined]);
  expect(await refuse(quarter)).toEqual([201, undefined]);
  expect(await refuse({ days: 7, replaces: intent.id })).toEqual([422, 'payments.too_far_ahead']);
});

it('payments that land count, even if access then ends over 120 days ahead', async () => {
  const { follower, caller, payer } = scene;
  await insertEnded(STEADY);
  const first = await openIntent(follower, caller.id, { days: 90 });
  const second = await openIntent(follower, caller.id, { days: 30 });
  const third = await openIntent(follower, caller.id, { days: 7, replaces: second.intent.id });
  for (const terms of [first, second, third]) await land(signPayment({ terms, payer }));
  await settle(scene);
  expect((await daysOf()).reduce((sum, days) => sum + days, 0)).toBe(127);
});

it.each<[string, readonly number[], object, boolean]>([
  ['in each of the last three months', STEADY, {}, true],
  ['never', [], {}, false],
  ['not in the last month', [40, 41, 70], {}, false],
  ['not three months ago', [1, 31, 59], {}, false],
  ['on unranked tokens only', STEADY, { unranked_reason: 'stablecoin' }, false],
  ['automatically only', STEADY, { automatic_end: 'time_limit' }, false],
])('a caller whose calls ended %s sells 90 days accordingly', async (_when, ended, fields, isSold) => {
  await insertEnded(ended, fields);
  expect(await lengthsOf()).toEqual(isSold ? [7, 30, 90] : [7, 30]);
  expect(await refuse({ days: 90 })).toEqual(
    isSold ? [201, undefined] : [422, 'payments.length_not_offered'],
  );
});

it('a caller with a silent day in the last 90 days sells no 90 days', async () => {
  await insertEnded(STEADY);
  const at = scene.app.clock.now() - (scene.app.clock.now() % DAY_MS) - 89 * DAY_MS;
  const insert =
    'INSERT INTO silent_days (caller_id, number, at, since, day_of_silence) VALUES (?, 1, ?, 1, 1)';
  await query(insert, scene.caller.id, at);
  expect(await lengthsOf()).toEqual([7, 30]);
  await scene.app.advance(2 * DAY_MS);
  expect(await lengthsOf()).toEqual([7, 30, 90]);
});

it('a caller can stop selling 7 days and start again', async () => {
  const change = (sellsWeek: boolean) =>
    readResponse(scene.caller.patch('/api/user/caller-profile', { sellsWeek }));
  expect(await change(false)).toMatchObject({ sellsWeek: false, monthlyFee: '0.5' });
  expect(await lengthsOf()).toEqual([30]);
  expect(await refuse({ days: 7 })).toEqual([422, 'payments.length_not_offered']);
  await change(true);
  expect(await lengthsOf()).toEqual([7, 30]);
});

it('a fee at which 7 days could not land on an empty payout wallet is refused until 7 days are switched off', async () => {
  const { app } = scene;
  const payout = await createFundedWallet(0);
  const { caller } = await createPaidCaller(app, { handle: 'empty_wallet', fee: '0.5', payout });
  const low = { monthlyFee: '0.002' };
  const refused = await caller.patch('/api/user/caller-profile', low);
  expect([refused.status, await refused.text()]).toEqual([
    422,
    expect.stringMatching(
      /for 7 days at this fee.*add at least \S+ SOL to that wallet or stop selling 7 days or raise the fee/,
    ),
  ]);
  await readResponse(caller.patch('/api/user/caller-profile', { ...low, sellsWeek: false }));
  expect((await openIntent(scene.follower, caller.id)).lengths.map(({ days }) => days)).toEqual([30]);
  expect((await caller.patch('/api/user/caller-profile', { sellsWeek: true })).status).toBe(422);
});

it('a length whose payment would leave dust is not offered', async () => {
  const payout = await createFundedWallet(0);
  const { caller } = await createPaidCaller(scene.app, { handle: 'empty_wallet', payout });
  await query('UPDATE callers SET fee_lamports = 2000000 WHERE caller_id = ?', caller.id);
  const { lengths } = await openIntent(scene.follower, caller.id);
  expect(lengths.map(({ days }) => days)).toEqual([30]);
  const week = { callerId: caller.id, days: 7 };
  const refused = await scene.follower.post('/api/solana/get-latest-blockhash', week);
  expect(await refused.json()).toMatchObject({ error: { code: 'payments.amount_under_rent' } });
});
