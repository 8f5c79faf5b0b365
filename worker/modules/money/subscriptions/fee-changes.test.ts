import { sql, type SQL } from 'drizzle-orm';
import { beforeEach, expect, inject, it } from 'vitest';
import { FREE_TO_PAID_GRACE_MS } from '#schema/constants/money.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { FOLLOWERS_PER_SLICE } from '#worker/modules/money/subscriptions/fee-changes.repository.ts';
import { createDatabase, runBatch } from '../../../shared/database.ts';
import { changeLapsed, changeNextSlice } from './fee-changes.repository.ts';
import { query } from '#test/database/database.ts';
import { insertPayment, landPayment } from '#test/payments/land-payment.ts';
import { createPaidCaller } from '#test/people/callers.ts';
import { readResponse } from '#test/responses.ts';
import { createRandom, type Random } from '#test/seeded-random.ts';
import { createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';
import { payBackStatements } from '#test/payments/refunds.ts';

let app: TestApp;
/** The subscribers of `large` need two slices. `small` has one subscriber of each kind, in one slice. */
let large: Person;
let small: Person;
let start: number;

/** Kinds of subscribers, with the ends of their periods in minutes from `start`. Paid periods last 30 days. */
const KINDS: Readonly<Record<string, readonly (readonly [kind: 'free' | 'paid', end: number])[]>> = {
  'paid-minutes': [['paid', 3]],
  'paid-weeks': [['paid', 20 * 24 * 60]],
  'paid-long': [
    ['paid', 10 * 24 * 60],
    ['paid', 40 * 24 * 60],
  ],
  'paid-twice': [
    ['paid', 4],
    ['paid', 30 * 24 * 60 + 4],
  ],
  'grace-minutes': [['free', 2]],
  'grace-weeks': [['free', 20 * 24 * 60]],
  'grace-then-paid': [
    ['free', 60],
    ['paid', 30 * 24 * 60 + 60],
  ],
  stranger: [],
};
const PEOPLE = Math.ceil((1.2 * FOLLOWERS_PER_SLICE) / Object.keys(KINDS).length);

const db = createDatabase(testEnv.DB);
const now = () => app.clock.now();

/** Ids that spread each kind over all slices. */
const peopleOf = (caller: Person, kind: string) =>
  caller === small
    ? [`small-${kind}`]
    : Array.from({ length: PEOPLE }, (_, index) => `large-${String(index).padStart(3, '0')}-${kind}`);

/** Only finalized payments can be refunded. */
const settle = (id: string) =>
  sql`INSERT INTO payment_ledger (id, payment_id, kind, slot, at) VALUES (${`${id}-settled`}, ${id}, 'finalized', 1, 1)`;

async function pay({ id: callerId }: Person, userId: string): Promise<void> {
  await runBatch(db, [settle(await landPayment({ userId, callerId, now: now() }))]);
}

/** The caller pays the newest payment of this person back. */
async function refund(caller: Person, person: string): Promise<void> {
  const [payment] = await query<{ id: string }>(
    `SELECT p.id FROM payments p JOIN subscriptions s ON s.payment_id = p.id
     WHERE p.user_id = ? AND p.caller_id = ? AND s.moves_from IS NOT NULL ORDER BY s.starts_at DESC LIMIT 1`,
    person,
    caller.id,
  );
  if (!payment) return;
  const reference = crypto.randomUUID();
  await runBatch(db, payBackStatements({ paymentId: payment.id, reference, lamports: 9n, now: now() }));
}

function addSubscriber({ id: callerId }: Person, userId: string, kind: string): SQL[] {
  const periods = (KINDS[kind] ?? []).flatMap(([type, minutes], index) => {
    const id = `${userId}-${index}`;
    const ends = start + minutes * MINUTE_MS;
    const starts = ends - FREE_TO_PAID_GRACE_MS;
    const [paymentId, movesFrom] = type === 'paid' ? [id, starts] : [null, null];
    const period = sql`
      INSERT INTO subscriptions (id, subscriber_id, caller_id, payment_id, starts_at, ends_at, moves_from, status,
        created_at)
      VALUES (${id}, ${userId}, ${callerId}, ${paymentId}, ${starts}, ${ends}, ${movesFrom}, 'active', 1)`;
    if (type === 'free') return [period];
    const granted = sql`
      INSERT INTO payment_ledger (id, payment_id, kind, slot, starts_at, ends_at, at)
      VALUES (${id}, ${id}, 'granted', 1, ${starts}, ${ends}, 1)`;
    return [...insertPayment(id, { userId, callerId, now: 1 }), granted, settle(id), period];
  });
  const user = sql`
    INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, created_at, updated_at)
    VALUES (${userId}, ${userId}, ${userId}, 'First', 'Last', 1, 1)`;
  return [user, ...periods];
}

beforeEach(async () => {
  app = await createTestApp();
  ({ caller: large } = await createPaidCaller(app, { handle: 'large_caller' }));
  ({ caller: small } = await createPaidCaller(app, { handle: 'small_caller' }));
  // Some minutes before a midnight that adds a silent day for both callers.
  await app.advance(9 * DAY_MS - (app.clock.now() % DAY_MS) - 9.5 * MINUTE_MS);
  large = await app.signIn('large_caller');
  small = await app.signIn('small_caller');
  start = now();
  await runBatch(
    db,
    Object.keys(KINDS).flatMap((kind) =>
      [large, small].flatMap((caller) =>
        peopleOf(caller, kind).flatMap((person) => addSubscriber(caller, person, kind)),
      ),
    ),
  );
});

const setFee = (caller: Person, monthlyFee: string | null) =>
  readResponse(caller.patch('/api/user/caller-profile', { monthlyFee }));
const isWaiting = async () => (await query('SELECT 1 FROM fee_changes')).length > 0;

/** Every person's periods, without ids and in the order of their start. */
async function periodsOf(people: readonly string[]): Promise<string[]> {
  const rows = await query<{ subscriber_id: string }>(
    `SELECT subscriber_id, starts_at, ends_at, payment_id IS NOT NULL AS is_paid, status FROM periods
     WHERE subscriber_id IN (SELECT value FROM json_each(?))
     ORDER BY starts_at, is_paid`,
    JSON.stringify(people),
  );
  const byPerson = Map.groupBy(rows, (row) => row.subscriber_id);
  return people.map((person) =>
    JSON.stringify((byPerson.get(person) ?? []).map(({ subscriber_id: _id, ...row }) => row)),
  );
}

async function withAccess(caller: Person, kind: string): Promise<boolean[]> {
  const viewers = peopleOf(caller, kind).map((viewerId) => ({ viewerId, callerId: caller.id }));
  return Promise.all(viewers.map(app.services.subscriptions.canSeeActiveCalls));
}

async function expectSameAccess(history: readonly string[]): Promise<void> {
  for (const kind of Object.keys(KINDS)) {
    const [expected] = await withAccess(small, kind);
    const found = new Set(await withAccess(large, kind));
    expect([history, kind, [...found]]).toEqual([history, kind, [expected]]);
  }
}

async function expectSamePeriods(history: readonly string[]): Promise<void> {
  for (const kind of Object.keys(KINDS)) {
    const [expected] = await periodsOf(peopleOf(small, kind));
    const found = new Set(await periodsOf(peopleOf(large, kind)));
    expect([history, kind, [...found]]).toEqual([history, kind, [expected]]);
  }
}

/** Runs the same random history for both callers, with the slices of the large one at random times. */
async function play(random: Random): Promise<void> {
  const history: string[] = [];
  let isFree = false;
  const forBoth = async (kind: string, act: (caller: Person, person: string) => Promise<unknown>) => {
    for (const caller of [small, large]) for (const id of peopleOf(caller, kind)) await act(caller, id);
  };
  for (let step = 0; step < 14; step++) {
    const kind = random.pick(Object.keys(KINDS));
    const operation = random.pick([
      'fee',
      'fee',
      'fee',
      'wait',
      'wait',
      'slice',
      'follow',
      'unfollow',
      'pay',
      'refund',
    ] as const);
    history.push(`${operation} ${kind}`);
    // Whether a payment comes before or after a change of the fee is undefined if their times are equal.
    await app.advance(1);
    if (operation === 'fee') {
      isFree = !isFree;
      for (const caller of [small, large]) await setFee(caller, isFree ? null : '0.5');
    } else if (operation === 'wait') {
      await app.advance(random.between(1, 3) * MINUTE_MS);
      await app.services.subscriptions.extendForSilence();
      await runBatch(db, changeLapsed(large.id, now()));
      await app.services.subscriptions.expireLapsed();
    } else if (operation === 'slice') {
      await runBatch(db, changeNextSlice(large.id, now()));
    } else if (operation === 'follow' && isFree) {
      await forBoth(kind, (caller, userId) =>
        app.services.subscriptions.subscribeFree({ userId, callerId: caller.id }),
      );
    } else if (operation === 'unfollow') {
      // Refused during a paid period, and without a follow.
      await forBoth(kind, (caller, userId) =>
        app.services.subscriptions.unfollow({ userId, callerId: caller.id }).catch(() => null),
      );
    } else if (operation === 'pay') await forBoth(kind, pay);
    else if (operation === 'refund') {
      // A refund waits until the change has reached everybody.
      await app.services.subscriptions.changeFees();
      await forBoth(kind, refund);
    }
    await expectSameAccess(history);
  }
  await app.services.subscriptions.changeFees();
  expect(await isWaiting()).toBe(false);
  await expectSamePeriods(history);
  const counts = await query<{ id: string; count: number; active: number }>(
    `SELECT caller_id AS id, subscriber_count AS count, (
       SELECT COUNT(DISTINCT subscriber_id) FROM subscriptions s
       WHERE s.caller_id = c.caller_id AND s.status = 'active') AS active
     FROM callers c`,
  );
  for (const { count, active } of counts) expect(count).toBe(active);
}

it('a fee change gives the same periods to subscribers whom it reaches before and after a silent day', async () => {
  const change = async (fee: string | null) => {
    for (const caller of [small, large]) await setFee(caller, fee);
  };
  await change(null);
  await app.services.subscriptions.changeFees();
  await change('0.5');
  expect(await isWaiting()).toBe(true);
  await app.advance(10 * MINUTE_MS);
  await app.services.subscriptions.extendForSilence();
  await change(null);
  await app.services.subscriptions.changeFees();
  await expectSamePeriods([]);
});

it.each(Array.from({ length: inject('isDeep') ? 100 : 2 }, (_, index) => index + 1))(
  'a fee change in several slices gives subscribers the same access as a fee change in a single slice (history %i)',
  async (seed) => {
    await query(
      `UPDATE callers SET subscriber_count = (
         SELECT COUNT(DISTINCT subscriber_id) FROM subscriptions s WHERE s.caller_id = callers.caller_id)`,
    );
    await play(createRandom(seed));
  },
);
