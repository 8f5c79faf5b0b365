import { beforeEach, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { ChainTransaction } from '../../../ports/chain.ts';
import { PortUnavailableError } from '../../../ports/unavailable.ts';
import type { Alarm } from '../../../shared/alarms.ts';
import { createId } from '../../../shared/ids.ts';
import { query } from '#test/database/database.ts';
import { createPaidCaller } from '#test/people/callers.ts';
import { jobOptions } from '#test/payments/job-options.ts';
import { createListChain, type ListChain } from '#test/payments/list-chain.ts';
import { insertPastPayments } from '#test/payments/past-payments.ts';
import { createTestApp } from '#test/test-app.ts';
import { createPlatformWalkService, READS_PER_RUN } from './platform-walk.service.ts';
import { createReconcileService } from './reconcile.service.ts';
import { RECORDS_PER_RUN } from './record-payment.ts';

const PLATFORM = 'platform-wallet';
const PAYOUT = 'caller-wallet';
/** Later than the clocks of other tests, whose runs may have left leases. */
const START = Date.UTC(2100, 5, 10, 8);
const TOTAL = 500_000_000n;
const PARTS = { callerLamports: 450_000_000n, platformLamports: 50_000_000n };

let now: number;
let slot: number;
let environment: ListChain;
let alarms: Alarm[];
let pair: { userId: string; callerId: string };
const clock = { now: () => now, sleep: () => Promise.reject(new Error('Unexpected sleep')) };

/** A new service, as in another isolate. */
async function walk({ platformAddress = PLATFORM } = {}) {
  const options = jobOptions({ chain: environment.chain, clock, alarms });
  const report = await createPlatformWalkService({ ...options, platformAddress }).walk();
  now += MINUTE_MS;
  return report;
}

const unreadCount = async () =>
  (await query<{ sum: number }>('SELECT SUM(json_array_length(entries)) AS sum FROM unread_transactions'))[0]
    ?.sum ?? 0;
const openOrphans = async () =>
  (
    await query<{ signature: string }>(
      'SELECT signature FROM payment_orphans WHERE resolved_at IS NULL ORDER BY slot',
    )
  ).map(({ signature }) => signature);
const paidIntents = async () =>
  (await query<{ intent_id: string }>('SELECT intent_id FROM payments ORDER BY created_at')).map(
    (row) => row.intent_id,
  );

interface Transfer {
  readonly memo?: string;
  readonly reference?: string;
  readonly lamports?: bigint;
  readonly reading?: 'absent' | 'unreadable';
}

/** Lands a transfer to the platform wallet. With a reference, it also pays the caller. */
function land(signature: string, { memo, reference, lamports = 1n, reading }: Transfer = {}): void {
  slot += 1;
  environment.entries.unshift({
    signature,
    slot,
    hasFailed: false,
    at: null,
    memo: memo === undefined ? null : `[${memo.length}] ${memo}`,
  });
  if (reading === 'unreadable') environment.transactions.set(signature, reading);
  if (reading !== undefined) return;
  const isPayment = reference !== undefined;
  const toPlatform = isPayment ? PARTS.platformLamports : lamports;
  const transaction: ChainTransaction = {
    signature,
    slot,
    blockTime: now,
    hasFailed: false,
    accounts: ['stranger', PLATFORM, PAYOUT, ...(isPayment ? [reference] : [])],
    signers: ['stranger'],
    transfers: [
      { source: 'stranger', destination: PLATFORM, lamports: toPlatform },
      ...(isPayment ? [{ source: 'stranger', destination: PAYOUT, lamports: PARTS.callerLamports }] : []),
    ],
    memos: memo === undefined ? [] : [memo],
    balanceChanges: new Map([
      [PLATFORM, toPlatform],
      [PAYOUT, isPayment ? PARTS.callerLamports : 0n],
    ]),
    feePayer: 'stranger',
    feeLamports: 5_000n,
  };
  environment.transactions.set(signature, transaction);
}

/** Lists transactions that can't be read. */
function list(name: string, count: number, hasFailed: (number: number) => boolean): void {
  for (let number = 0; number < count; number++) {
    slot += 1;
    const signature = `${name}-${number}`;
    environment.entries.unshift({ signature, slot, hasFailed: hasFailed(number), at: null, memo: null });
  }
}

/** Opens an intent of the follower, and returns its id and reference. */
async function openIntent({ createdAt = now } = {}) {
  const intent = { id: createId(), reference: `reference-${createId()}` };
  await query(
    `INSERT INTO payment_intents (id, user_id, caller_id, reference, caller_address, platform_address,
       fee_lamports, days, total_lamports, caller_lamports, platform_lamports, created_at, expires_at)
     VALUES (?1, ?2, ?3, ?4, '${PAYOUT}', '${PLATFORM}', ${TOTAL}, 30, ${TOTAL}, ${PARTS.callerLamports}, ${PARTS.platformLamports}, ?5, ?6)`,
    intent.id,
    pair.userId,
    pair.callerId,
    intent.reference,
    createdAt,
    createdAt + 10 * MINUTE_MS,
  );
  return intent;
}

beforeEach(async () => {
  const app = await createTestApp();
  const { caller } = await createPaidCaller(app);
  pair = { userId: (await app.signIn('follower')).id, callerId: caller.id };
  alarms = [];
  environment = createListChain();
  now = START;
  slot = 100;
  land('first', { lamports: 1_000_000n });
  expect(await walk()).toEqual({ read: 0, recorded: 0 });
});

it('the walk through the platform wallet finds a payment by its memo in one run among 5,000 dust transfers', async () => {
  const intent = await openIntent();
  for (let number = 0; number < 2_500; number++) land(`dust-${number}`);
  land('paid', { memo: intent.id, reference: intent.reference });
  for (let number = 2_500; number < 5_000; number++) land(`dust-${number}`);
  expect(await walk()).toMatchObject({ recorded: 1, read: READS_PER_RUN.others + 1 });
  expect(await paidIntents()).toEqual([intent.id]);
  expect(await unreadCount()).toBe(5_000 - READS_PER_RUN.others);
});

it('the walk through the platform wallet finds a payment without a memo after it has read all older transactions', async () => {
  const intent = await openIntent();
  for (let number = 0; number < 2 * READS_PER_RUN.others; number++) land(`dust-${number}`);
  land('paid', { reference: intent.reference });
  for (let number = 0; number < 30; number++) land(`later-${number}`);
  for (const paid of [[], [], [intent.id]]) {
    await walk();
    expect(await paidIntents()).toEqual(paid);
  }
});

it.each([
  ['a thousand copies', (id: string) => Array.from({ length: 1_000 }, () => id)],
  ['copies that name several intents', (id: string) => [`${createId()} ${id}`, `${id}; [20] ${createId()}`]],
])('%s of a payment’s memo buy nothing, and do not hide the payment', async (_what, memosOf) => {
  const [intent, other] = [await openIntent(), await openIntent()];
  land('paid', { memo: intent.id, reference: intent.reference });
  for (const [index, memo] of memosOf(intent.id).entries()) land(`copy-${index}`, { memo });
  land('other', { memo: other.id, reference: other.reference });
  await walk();
  expect((await paidIntents()).toSorted()).toEqual([intent.id, other.id].toSorted());
  expect(environment.reads.filter((signature) => signature.startsWith('copy')).length).toBeLessThanOrEqual(
    5 + READS_PER_RUN.others,
  );
});

it('the walk through the platform wallet gives priority to at most five transactions that name an intent', async () => {
  const intent = await openIntent();
  for (let number = 0; number < 3; number++) land(`early-${number}`, { memo: intent.id });
  await walk();
  for (let number = 0; number < 30; number++) land(`dust-${number}`);
  for (let number = 0; number < 9; number++) land(`late-${number}`, { memo: intent.id });
  await walk();
  expect(environment.reads.filter((signature) => signature.startsWith('late'))).toEqual(['late-0', 'late-1']);
  expect(await query('SELECT priority_reads FROM payment_intents')).toEqual([{ priority_reads: 5 }]);
});

it('a payment whose memo names another intent buys only the intent that its reference names', async () => {
  const [named, paid] = [await openIntent(), await openIntent()];
  land('crossed', { memo: named.id, reference: paid.reference });
  await walk();
  expect(await paidIntents()).toEqual([paid.id]);
});

it('the walk through the platform wallet gives no priority to memos of intents that ended over a day ago', async () => {
  const old = await openIntent({ createdAt: now - DAY_MS - 11 * MINUTE_MS });
  for (let number = 0; number < READS_PER_RUN.others; number++) land(`dust-${number}`);
  land('late', { memo: old.id });
  await walk();
  expect(environment.reads).not.toContain('late');
  await walk();
  expect(environment.reads).toContain('late');
});

it('the walk through the platform wallet records payments beyond the limit of one run in the next runs', async () => {
  const count = 2 * RECORDS_PER_RUN + 15;
  for (let number = 0; number < count; number++) {
    const { id, reference } = await openIntent();
    land(`paid-${number}`, { memo: id, reference });
  }
  for (const recorded of [RECORDS_PER_RUN, RECORDS_PER_RUN, 15]) {
    expect(await walk()).toMatchObject({ recorded });
  }
});

it('the walk through the platform wallet lists very many transactions over several runs, without starting again', async () => {
  land('oldest', { lamports: 2_000_000n });
  list('failed', 22_000, () => true);
  expect(await walk()).toMatchObject({ read: 0 });
  const intent = await openIntent();
  land('new', { memo: intent.id, reference: intent.reference });
  expect(await walk()).toMatchObject({ read: 1 });
  expect(await openOrphans()).toEqual(['oldest']);
  expect(await walk()).toMatchObject({ recorded: 1 });
});

it.each(['absent', 'unreadable'] as const)(
  'the walk through the platform wallet retries an %s transaction after six hours, and raises an alarm',
  async (reading) => {
    land('late', { reading });
    land('later', { lamports: 3_000_000n });
    await walk();
    expect(await openOrphans()).toEqual(['later']);
    expect(alarms.map(({ kind }) => kind)).toEqual(['payments.orphans', 'payments.unread']);
    const entry = environment.entries.find(({ signature }) => signature === 'late');
    land('late', { lamports: 2_000_000n });
    environment.entries.shift();
    await walk();
    expect(await openOrphans()).toEqual(['later']);
    now += 6 * HOUR_MS;
    await walk();
    expect(entry).toBeDefined();
    expect((await openOrphans()).toSorted()).toEqual(['late', 'later']);
  },
);

it('transfers that can’t be read never delay other transfers in the walk through the platform wallet', async () => {
  for (let number = 0; number < 12 * READS_PER_RUN.others; number++) {
    land(`newer-${number}`, { reading: 'unreadable' });
  }
  for (let run = 0; run < 12; run++) await walk();
  now += 6 * HOUR_MS;
  land('paid', { lamports: 2_000_000n });
  await walk();
  expect(await openOrphans()).toEqual(['paid']);
  expect(await unreadCount()).toBe(12 * READS_PER_RUN.others);
});

it('a transaction whose read fails delays no other transaction, and an outage postpones no read', async () => {
  const intent = await openIntent();
  const named = { memo: intent.id, reference: intent.reference };
  let failing = ['failing', 'paid'];
  environment.beforeRead = async (signature) => {
    if (failing.includes(signature)) throw new PortUnavailableError('chain', null);
  };
  land('failing', named);
  land('paid', { lamports: 2_000_000n });
  await expect(walk()).rejects.toThrow(PortUnavailableError);
  failing = ['failing'];
  await walk();
  expect(await openOrphans()).toEqual(['paid']);
  failing = [];
  await walk();
  expect(await paidIntents()).toEqual([intent.id]);
  expect(await query('SELECT priority_reads FROM payment_intents')).toEqual([{ priority_reads: 1 }]);
});

it('an unreadable transaction whose memo names an open intent is the intent’s pending payment, and pays once readable', async () => {
  const intent = await openIntent();
  land('newer', { memo: intent.id, reading: 'unreadable' });
  await walk();
  expect(await query('SELECT signature, intent_id, tries, unreadable_at FROM payment_broadcasts')).toEqual([
    { signature: 'newer', intent_id: intent.id, tries: 0, unreadable_at: now - MINUTE_MS },
  ]);
  land('newer', { memo: intent.id, reference: intent.reference });
  environment.entries.shift();
  const options = jobOptions({ chain: environment.chain, clock, alarms });
  const jobs = createReconcileService({ ...options, platformAddress: PLATFORM, signaturesPerRequest: 256 });
  expect(await jobs.reconcile()).toEqual({ recorded: 1 });
  expect(await paidIntents()).toEqual([intent.id]);
});

it('the walk through the platform wallet reads each transaction once, although runs list the newest again', async () => {
  for (let run = 0; run < 5; run++) {
    land(`one-${run}`);
    await walk();
  }
  expect(environment.reads).toEqual([0, 1, 2, 3, 4].map((run) => `one-${run}`));
});

it('the walk through the platform wallet continues from an older position if a fork removed the newest one', async () => {
  land('forked');
  await walk();
  environment.entries.shift();
  const intent = await openIntent();
  land('paid', { memo: intent.id, reference: intent.reference });
  expect(await walk()).toMatchObject({ recorded: 1 });
  expect(alarms).toEqual([]);
});

it('the walk through the platform wallet raises an alarm if no endpoint has its last position, and continues', async () => {
  environment.entries.splice(0);
  const intent = await openIntent();
  slot += 1;
  land('paid', { memo: intent.id, reference: intent.reference });
  expect(await walk()).toMatchObject({ recorded: 1 });
  expect(alarms.at(-1)).toMatchObject({ kind: 'payments.position_lost', details: { position: 'first' } });
  now += DAY_MS;
  await walk();
  alarms = [];
  land('dust');
  expect(await walk()).toMatchObject({ read: 1 });
  expect(alarms).toEqual([]);
});

it('the walk through the platform wallet starts its listing over if no endpoint knows the last page it read', async () => {
  land('real', { lamports: 2_000_000n });
  list('flood', 21_500, (number) => number % 2 === 0);
  await walk();
  environment.entries.splice(0, 20_900);
  await walk();
  expect(await query('SELECT 1 FROM unread_transactions')).toEqual([]);
  await walk();
  expect(await openOrphans()).toEqual(['real']);
});

it('the walk through a new platform wallet begins at its newest transaction', async () => {
  land('old', { lamports: 2_000_000n });
  expect(await walk({ platformAddress: 'another-wallet' })).toEqual({ read: 0, recorded: 0 });
  land('new', { lamports: 2_000_000n });
  expect(await walk({ platformAddress: 'another-wallet' })).toMatchObject({ read: 1 });
});

it('the walk through the platform wallet without a saved position begins a day before the newest payment', async () => {
  await query('DELETE FROM job_leases');
  const made = await insertPastPayments({ ...pair, count: 1_500, from: START - 3 * DAY_MS, tie: 1 });
  const dayBefore = made[1_499 - DAY_MS / MINUTE_MS];
  slot = 1_499 - DAY_MS / MINUTE_MS;
  environment.entries.splice(0);
  land(dayBefore?.signature ?? '');
  const intent = await openIntent();
  land('missed', { memo: intent.id, reference: intent.reference });
  expect(await walk()).toMatchObject({ read: 1, recorded: 1 });
});
