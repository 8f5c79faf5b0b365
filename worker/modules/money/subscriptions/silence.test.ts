import type { Keypair } from '@solana/web3.js';
import { beforeEach, expect, it } from 'vitest';
import { MAX_SILENT_DAYS, SUBSCRIPTION_PERIOD_MS } from '#schema/constants/money.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import { movedTime } from '#schema/rules/access/silence.ts';
import { query } from '#test/database/database.ts';
import { insertCallers, insertRows } from '#test/database/insert-rows.ts';
import { connectTelegram, writtenTo } from '#test/messages/telegram.ts';
import { createFundedWallet } from '#test/payments/chain.ts';
import { openIntent, pay, send, signPayment } from '#test/payments/payments.ts';
import { openRefund, sendRefund, signRefund } from '#test/payments/refunds.ts';
import { createPaidCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { readResponse } from '#test/responses.ts';
import { createRandom } from '#test/seeded-random.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let caller: Person;
let subscriber: Person;
let payout: Keypair;

beforeEach(async () => {
  app = await createTestApp();
  // Noon, so that the silence begins at the eighth midnight.
  await app.advance(DAY_MS + DAY_MS / 2 - (app.clock.now() % DAY_MS));
  ({ caller, payout } = await createPaidCaller(app));
  subscriber = await app.signIn('subscriber');
  await pay({ person: subscriber, callerId: caller.id });
});

interface Times {
  readonly starts_at: number;
  readonly ends_at: number | null;
}

const periods = () =>
  query<Times>(
    'SELECT starts_at, ends_at FROM periods WHERE subscriber_id = ? ORDER BY starts_at',
    subscriber.id,
  );
const endOf = async (index = 0) => (await periods())[index]?.ends_at ?? Number.NaN;
const days = () => query<{ at: number; since: number }>('SELECT at, since FROM silent_days ORDER BY number');
const goToMidnight = () => app.advance(DAY_MS - (app.clock.now() % DAY_MS));
/** Runs the cron's subscription jobs one minute after each of the next midnights. */
const passMidnights = async (count: number) => {
  for (let night = 0; night < count; night++) {
    await goToMidnight();
    await app.advance(MINUTE_MS);
    await app.runJobs('subscriptions');
  }
};
const signIn = async () => {
  caller = await app.signIn('paid_caller');
  subscriber = await app.signIn('subscriber');
};
const canSee = async () =>
  (await subscriber.get(`/api/token-calls/caller/${caller.id}/active`)).status === 200;
const renew = async () => {
  subscriber = await app.signIn('subscriber');
  return pay({ person: subscriber, callerId: caller.id });
};
const setFee = async (monthlyFee: string | null) => {
  await signIn();
  await readResponse(caller.patch('/api/user/caller-profile', { monthlyFee }));
};

const settle = async () => {
  await app.advance(MINUTE_MS);
  await app.runJobs('payments');
};
const findFirstSignature = async () =>
  (await query<{ signature: string }>('SELECT signature FROM payments'))[0]?.signature ?? '';
const refund = async (signature: string) => {
  caller = await app.signIn('paid_caller');
  const terms = await openRefund(caller, signature, payout);
  await sendRefund(caller, signature, signRefund({ terms, from: payout }));
  await settle();
};
/** Writes the audit entry of a pause of new calls, or of its end. */
const operate = (action: 'pause' | 'resume') =>
  query(
    `INSERT INTO operator_audit (id, at, operator_x_id, action, subject_id, reason)
     VALUES (hex(randomblob(8)), ?, '1', ?, 'calls', 'Wait.')`,
    app.clock.now(),
    action,
  );
const requestDeletion = async () => {
  await signIn();
  await readResponse(caller.post('/api/user/deletion', { handle: caller.handle }));
};

it('the view `periods` gives the times of the rule movedTime, for random silent days and periods', async () => {
  const random = createRandom(7);
  const below = (limit: number) => random.between(0, limit - 1);
  await insertCallers(['x']);
  const midnights = Array.from({ length: 80 }, (_, day) => (100 + day) * DAY_MS).filter(
    () => random.share() < 0.6,
  );
  for (const [index, at] of midnights.entries()) {
    await query('INSERT INTO silent_days VALUES (?, ?, ?, 1, 1)', 'x', index + 1, at);
  }
  const rows = Array.from({ length: 400 }, (_, index) => {
    const startsAt = 95 * DAY_MS + below(90) * DAY_MS + below(3) * below(DAY_MS);
    const from = startsAt - below(20) * DAY_MS + below(3) * below(DAY_MS);
    return {
      id: `p${index}`,
      subscriber_id: subscriber.id,
      caller_id: 'x',
      starts_at: startsAt,
      ends_at: startsAt + 1 + below(40 * DAY_MS),
      moves_from: below(10) === 0 ? null : from,
    };
  });
  await insertRows('subscriptions', rows);
  const read = await query<Times & { id: string }>(
    "SELECT id, starts_at, ends_at FROM periods WHERE caller_id = 'x'",
  );
  const times = new Map(read.map((row) => [row.id, row]));
  for (const { id, starts_at, ends_at, moves_from } of rows) {
    const moved = (time: number) => movedTime(time, moves_from, midnights);
    expect(times.get(id)).toEqual({ id, starts_at: moved(starts_at), ends_at: moved(ends_at) });
  }
});

it('after a caller’s seven days of silence, each midnight adds one day to a subscriber’s period', async () => {
  const end = await endOf();
  await passMidnights(7);
  expect(await days()).toEqual([]);
  await passMidnights(1);
  expect(await endOf()).toBe(end + DAY_MS);
  await app.runJobs('subscriptions');
  await passMidnights(1);
  expect(await endOf()).toBe(end + 2 * DAY_MS);
  expect(await query('SELECT ends_at FROM subscriptions')).toEqual([{ ends_at: end }]);
});

it('a caller’s silence ends when the caller opens or ends a call, and the added days remain', async () => {
  const end = await endOf();
  await passMidnights(9);
  await signIn();
  const silentSince = async () =>
    (await readResponse<CallerProfile>(app.request(`/api/callers/${caller.id}`))).silentSince;
  expect(await silentSince()).not.toBeNull();
  expect(await readResponse(subscriber.get('/api/subscriptions/my'))).toMatchObject([
    { silentDays: 2, endDate: new Date(end + 2 * DAY_MS).toISOString() },
  ]);
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 1 });
  expect(await silentSince()).toBeNull();
  await passMidnights(7);
  expect(await endOf()).toBe(end + 2 * DAY_MS);
  await signIn();
  await endCall({ caller, call, price: 1 });
  await passMidnights(7);
  expect(await endOf()).toBe(end + 2 * DAY_MS);
  await passMidnights(1);
  expect(await endOf()).toBe(end + 3 * DAY_MS);
});

it('a midnight adds a silent day even after an automatic end of a call, and even if a call is made right afterwards', async () => {
  const end = await endOf();
  await signIn();
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 1 });
  await passMidnights(6);
  await query(
    "UPDATE calls SET ended_at = ?, end_price = '1', change_percent = 0, automatic_end = 'time_limit'",
    app.clock.now(),
  );
  await query(
    "INSERT INTO call_events (id, kind, call_id, caller_id, at) VALUES ('x', 'call_ended', ?, ?, ?)",
    call.id,
    caller.id,
    app.clock.now(),
  );
  await passMidnights(1);
  await goToMidnight();
  await app.advance(1);
  await signIn();
  await makeCall({ caller, mint: MINTS.JUP, price: 1 });
  await app.runJobs('subscriptions');
  expect(await endOf()).toBe(end + DAY_MS);
  await passMidnights(1);
  expect(await endOf()).toBe(end + DAY_MS);
});

it('silent days also move later periods, and a renewal during a silence has its full length', async () => {
  await renew();
  const before = await periods();
  await passMidnights(9);
  const shifted = (rows: Times[], first: number, rest: number) =>
    rows.map(({ starts_at, ends_at }, index) => ({
      starts_at: starts_at + (index === 0 ? 0 : rest) * DAY_MS,
      ends_at: (ends_at ?? 0) + (index === 0 ? first : rest) * DAY_MS,
    }));
  expect(await periods()).toEqual(shifted(before, 2, 2));
  await renew();
  const renewed = await periods();
  expect(renewed[2]).toEqual({
    starts_at: await endOf(1),
    ends_at: (await endOf(1)) + SUBSCRIPTION_PERIOD_MS,
  });
  await passMidnights(3);
  expect(await periods()).toEqual(shifted(renewed, 3, 3));
});

it('a caller’s silence adds at most 30 days, and the next silence can add more', async () => {
  await renew();
  await renew();
  const end = await endOf(2);
  await passMidnights(45);
  expect(await days()).toHaveLength(MAX_SILENT_DAYS);
  expect(await endOf(2)).toBe(end + MAX_SILENT_DAYS * DAY_MS);
  await signIn();
  await makeCall({ caller, mint: MINTS.WIF, price: 1 });
  await passMidnights(8);
  expect(await endOf(2)).toBe(end + (MAX_SILENT_DAYS + 1) * DAY_MS);
});

it('no silent day is added in a pause, after a deletion request, for Free or new callers, or without paid periods', async () => {
  await passMidnights(7);
  const end = await endOf();
  await operate('pause');
  await passMidnights(1);
  await operate('resume');
  await query('UPDATE callers SET deletes_at = ?', Number.MAX_SAFE_INTEGER);
  await passMidnights(1);
  await query('UPDATE callers SET deletes_at = NULL');
  await query('UPDATE callers SET fee_lamports = 0');
  await passMidnights(1);
  await query('UPDATE callers SET fee_lamports = 1');
  await query('UPDATE callers SET created_at = ?', app.clock.now() - 6 * DAY_MS);
  await passMidnights(1);
  expect(await days()).toEqual([]);
  expect(await endOf()).toBe(end);
  await app.advance(SUBSCRIPTION_PERIOD_MS);
  await passMidnights(2);
  expect(await days()).toEqual([]);
});

it('a later payment adds no silent day for a midnight at which calls were paused or a deletion was requested', async () => {
  const end = await endOf();
  await passMidnights(7);
  await operate('pause');
  await passMidnights(1);
  await operate('resume');
  await pay({ person: await app.signIn('other'), callerId: caller.id });
  expect([await days(), await endOf()]).toEqual([[], end]);
  await requestDeletion();
  await passMidnights(1);
  await signIn();
  await readResponse(caller.delete('/api/user/deletion'));
  await pay({ person: await app.signIn('another'), callerId: caller.id });
  expect([await days(), await endOf()]).toEqual([[], end]);
});

it('a midnight adds a silent day even if new calls are paused and a deletion is requested right afterwards', async () => {
  const end = await endOf();
  await passMidnights(7);
  await goToMidnight();
  await app.advance(1);
  await operate('pause');
  await requestDeletion();
  expect(await endOf()).toBe(end + DAY_MS);
  expect(await query('SELECT deletes_at FROM callers')).toEqual([{ deletes_at: end + DAY_MS }]);
});

it('a lapsed period gets a missed silent day before it expires, and gives access again until the new end', async () => {
  const end = await endOf();
  // The cron is down until the period has ended.
  await app.advance(end - app.clock.now() + 1);
  await signIn();
  expect(await canSee()).toBe(false);
  await app.services.subscriptions.expireLapsed();
  expect(await endOf()).toBe(end + DAY_MS);
  expect(await canSee()).toBe(true);
  expect(await query('SELECT status, known_end FROM subscriptions')).toEqual([
    { status: 'active', known_end: end + DAY_MS },
  ]);
  expect(await app.services.subscriptions.expireLapsed()).toBe(0);
});

it('a renewal right after midnight starts at the current period’s end, which includes the new silent day', async () => {
  await passMidnights(8);
  const end = await endOf();
  await goToMidnight();
  await app.advance(1);
  await renew();
  expect(await periods()).toMatchObject([{ ends_at: end + DAY_MS }, { starts_at: end + DAY_MS }]);
});

it('a midnight at which the caller was Free adds no silent day after the caller charges again', async () => {
  await passMidnights(7);
  const end = await endOf();
  await setFee(null);
  await goToMidnight();
  await app.advance(MINUTE_MS);
  await setFee('0.5');
  await app.runJobs('subscriptions');
  expect([await days(), await endOf()]).toEqual([[], end]);
});

it('a cron run after several missed midnights adds only one silent day', async () => {
  const end = await endOf();
  await app.advance(12 * DAY_MS);
  await app.runJobs('subscriptions');
  expect(await endOf()).toBe(end + DAY_MS);
});

it('silent days move neither a running free period nor the paid period after it', async () => {
  const other = await app.signIn('other');
  await setFee(null);
  await readResponse(other.post('/api/subscriptions/free', { callerId: caller.id }), 201);
  await setFee('0.5');
  subscriber = await app.signIn('other');
  await pay({ person: subscriber, callerId: caller.id });
  const before = await periods();
  await passMidnights(20);
  expect((await days()).length).toBeGreaterThan(5);
  expect(await periods()).toEqual(before);
});

it('silent days also move a free period that follows a paid period', async () => {
  await app.advance(DAY_MS);
  await setFee(null);
  await setFee('0.5');
  const before = await periods();
  expect(before).toHaveLength(2);
  await passMidnights(8);
  expect(await periods()).toEqual([
    { starts_at: before[0]?.starts_at, ends_at: (before[0]?.ends_at ?? 0) + 2 * DAY_MS },
    { starts_at: (before[1]?.starts_at ?? 0) + 2 * DAY_MS, ends_at: (before[1]?.ends_at ?? 0) + 2 * DAY_MS },
  ]);
});

it('the caller and a paid subscriber each get one notice when a silence begins, and another notice for the next silence', async () => {
  const chats = [await connectTelegram(app, caller), await connectTelegram(app, subscriber)];
  const notices = async () => {
    await app.runJobs('messages');
    await app.sender.deliver();
    return Promise.all(
      chats.map(
        async (chat) =>
          (await writtenTo(chat)).filter((text) => /updated or ended a call\./.test(text)).length,
      ),
    );
  };
  await passMidnights(7);
  expect(await notices()).toEqual([0, 0]);
  await passMidnights(1);
  expect(await notices()).toEqual([1, 1]);
  await passMidnights(3);
  expect(await notices()).toEqual([1, 1]);
  await signIn();
  await makeCall({ caller, mint: MINTS.WIF, price: 1 });
  await passMidnights(8);
  expect(await notices()).toEqual([2, 2]);
});

it('if a fork removes a renewal in a silence, the next period starts at the current period’s moved end', async () => {
  await passMidnights(9);
  const end = await endOf();
  const { signature } = await renew();
  await renew();
  await control('POST', '/solana/forget', { signature });
  await settle();
  expect(await periods()).toMatchObject([
    { ends_at: end },
    { starts_at: end, ends_at: end + SUBSCRIPTION_PERIOD_MS },
  ]);
  await passMidnights(2);
  expect(await periods()).toMatchObject([
    { ends_at: end + 2 * DAY_MS },
    { starts_at: end + 2 * DAY_MS, ends_at: end + 2 * DAY_MS + SUBSCRIPTION_PERIOD_MS },
  ]);
});

it('after a full refund in a silence, the next period starts immediately and gets later silent days', async () => {
  const signature = await findFirstSignature();
  await settle();
  await renew();
  await passMidnights(9);
  await refund(signature);
  const [refunded, next] = await periods();
  const now = refunded?.ends_at ?? 0;
  expect(now).toBeGreaterThan(app.clock.now() - 2 * MINUTE_MS);
  expect(next).toEqual({ starts_at: now, ends_at: now + SUBSCRIPTION_PERIOD_MS });
  await passMidnights(2);
  expect(await periods()).toEqual([
    refunded,
    { starts_at: now, ends_at: now + SUBSCRIPTION_PERIOD_MS + 2 * DAY_MS },
  ]);
});

it('silent days cause no gap between a free period that began after a refund and the next paid period', async () => {
  const signature = await findFirstSignature();
  await app.advance(DAY_MS);
  await setFee(null);
  await setFee('0.5');
  await renew();
  await renew();
  await passMidnights(7);
  await settle();
  await refund(signature);
  const before = await periods();
  expect(before).toHaveLength(4);
  await pay({ person: await app.signIn('other'), callerId: caller.id });
  await passMidnights(3);
  expect(await days()).toHaveLength(4);
  expect(await periods()).toEqual(before);
  expect(before.slice(2).map(({ starts_at }) => starts_at)).toEqual([await endOf(1), await endOf(2)]);
});

it('silent days don’t move a free period that follows another free period', async () => {
  const signature = await findFirstSignature();
  await app.advance(DAY_MS);
  await setFee(null);
  await setFee('0.5');
  await settle();
  await refund(signature);
  const { signature: upcoming } = await renew();
  await settle();
  await passMidnights(1);
  await setFee(null);
  await refund(upcoming);
  await setFee('0.5');
  const before = await periods();
  expect(before).toHaveLength(3);
  expect(before[2]?.starts_at).toBe(await endOf(1));
  await pay({ person: await app.signIn('other'), callerId: caller.id });
  await passMidnights(8);
  expect((await days()).length).toBeGreaterThan(0);
  expect(await periods()).toEqual(before);
});

it('the daily check takes silent days into account when it looks for overlapping periods', async () => {
  await app.advance(DAY_MS);
  await setFee(null);
  await setFee('0.5');
  await renew();
  await passMidnights(9);
  const { signature } = await renew();
  await settle();
  // Writes the moved times of the free period, but not of the paid period after it.
  await refund(signature);
  const findProblems = async () => {
    await app.advance(DAY_MS);
    await app.services.ledgerCheck.checkOncePerDay();
    const [check] = await query<{ problems: string }>('SELECT problems FROM ledger_checks ORDER BY day DESC');
    return (JSON.parse(check?.problems ?? '[]') as { problem: string }[]).map(({ problem }) => problem);
  };
  expect(await findProblems()).toEqual([]);
  await query('UPDATE subscriptions SET ends_at = ends_at + 1 WHERE payment_id IS NULL');
  expect(await findProblems()).toEqual(['period.overlaps']);
});

it('in a silence, an open-ended free period starts after the period of a payment that lands later', async () => {
  await app.advance(DAY_MS);
  await setFee(null);
  await setFee('0.5');
  await passMidnights(9);
  await signIn();
  const terms = await openIntent(subscriber, caller.id);
  await setFee(null);
  subscriber = await app.signIn('subscriber');
  await readResponse(send(subscriber, signPayment({ terms, payer: await createFundedWallet() })));
  await settle();
  expect((await periods())[2]).toEqual({ starts_at: await endOf(1), ends_at: null });
});

it('the database rejects a silent day after a gap, and rejects changing or deleting a silent day', async () => {
  await passMidnights(8);
  const refused = [
    'UPDATE silent_days SET at = at + 86400000',
    'DELETE FROM silent_days',
    'INSERT INTO silent_days SELECT caller_id, number + 2, at + 86400000, since, 2, NULL FROM silent_days',
    'INSERT INTO silent_days SELECT caller_id, number + 1, at, since, 2, NULL FROM silent_days',
    'INSERT OR REPLACE INTO silent_days SELECT caller_id, number, at + 86400000, since, 2, NULL FROM silent_days',
    'INSERT INTO silent_days SELECT caller_id, number + 1, at + 86400000, since, 31, NULL FROM silent_days',
  ];
  for (const sql of refused) await expect(query(sql), sql).rejects.toThrow(/silent|CHECK/);
});
