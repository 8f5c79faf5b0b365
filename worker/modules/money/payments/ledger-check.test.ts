import { beforeEach, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { JOB_LEASE_MS } from '#worker/shared/job-leases.ts';
import type { ChainTransaction } from '../../../ports/chain.ts';
import type { Alarm } from '../../../shared/alarms.ts';
import { LeaseLostError } from '../../../shared/job-leases.ts';
import { createPaidCaller } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { jobOptions } from '#test/payments/job-options.ts';
import { createListChain, type ListChain } from '#test/payments/list-chain.ts';
import { insertPastPayments } from '#test/payments/past-payments.ts';
import { createTestApp } from '#test/test-app.ts';
import { COST_PER_RUN, createLedgerCheckService } from './ledger-check.service.ts';

const PLATFORM = 'platform-wallet';
/**
 * Later than every other test's clock. Otherwise work left over from another test could hold the lease or
 * begin a later check.
 */
const START = Date.UTC(2100, 5, 10, 8);

let now: number;
let environment: ListChain;
let alarms: Alarm[];
const clock = { now: () => now, sleep: () => Promise.reject(new Error('Unexpected sleep')) };

/** A new service, as in another isolate. */
const check = () =>
  createLedgerCheckService({
    ...jobOptions({ chain: environment.chain, clock, alarms }),
    platformAddress: PLATFORM,
    signaturesPerRequest: 5,
  }).checkOncePerDay();

/** One run a minute until the check is finished. @returns the requests of each run */
async function checkToTheEnd(): Promise<number[]> {
  const runs: number[] = [];
  for (let isFinished = false; !isFinished && runs.length < 50; now += MINUTE_MS) {
    const before = environment.requests();
    isFinished = (await check())?.isFinished ?? false;
    runs.push(environment.requests() - before);
  }
  return runs;
}

const lastCheck = async () => (await query('SELECT * FROM ledger_checks ORDER BY day DESC LIMIT 1'))[0];
const paymentOf = (number: string, at: number): ChainTransaction => ({
  signature: `past${number}`,
  slot: 1,
  blockTime: at,
  hasFailed: false,
  accounts: ['payer-wallet', 'caller-wallet', PLATFORM, `reference-${number}`],
  signers: ['payer-wallet'],
  transfers: [
    { source: 'payer-wallet', destination: 'caller-wallet', lamports: 450_000_000n },
    { source: 'payer-wallet', destination: PLATFORM, lamports: 50_000_000n },
  ],
  memos: [],
  balanceChanges: new Map([
    ['caller-wallet', 450_000_000n],
    [PLATFORM, 50_000_000n],
  ]),
  feePayer: 'payer-wallet',
  feeLamports: 5_000n,
});

/** Payments of the two days before START, on the chain and in the database. */
async function addPayments(count: number): Promise<string[]> {
  const app = await createTestApp();
  const { caller } = await createPaidCaller(app);
  const follower = await app.signIn('follower');
  const from = START - 2 * DAY_MS + HOUR_MS;
  const made = await insertPastPayments({ userId: follower.id, callerId: caller.id, count, from, tie: 10 });
  for (const { signature, at } of made) {
    environment.transactions.set(signature, paymentOf(signature.replace('past', ''), at));
  }
  await query(
    'UPDATE callers SET earned_lamports = ?, subscriber_count = 1 WHERE caller_id = ?',
    count * 450_000_000,
    caller.id,
  );
  return made.map(({ signature }) => signature);
}

beforeEach(async () => {
  alarms = [];
  environment = createListChain();
  now = START - DAY_MS;
  expect(await check()).toEqual({ problems: 0, isFinished: true });
  now = START;
});

it('the ledger check reads each payment once, over several runs of limited size', async () => {
  const signatures = await addPayments(3 * COST_PER_RUN);
  const runs = await checkToTheEnd();
  expect(runs.length).toBeGreaterThanOrEqual(3);
  expect(Math.max(...runs)).toBeLessThan(COST_PER_RUN + 100);
  expect(environment.reads.toSorted()).toEqual(signatures);
  expect(await lastCheck()).toMatchObject({ problem_count: 0 });
  expect(alarms).toEqual([]);
  // The next check begins a day later.
  expect(await check()).toBeNull();
});

const readMonths = () => query('SELECT * FROM earned_months ORDER BY month');

it('the daily checks add each payment’s commission to its month once, according to the ledger and to the chain', async () => {
  const [first = ''] = await addPayments(60);
  const paid = paymentOf('000000', START - 2 * DAY_MS + HOUR_MS);
  // One lamport more than the payment, in the same transaction.
  const balanceChanges = new Map([...paid.balanceChanges, [PLATFORM, 50_000_001n]]);
  environment.transactions.set(first, { ...paid, balanceChanges });
  await checkToTheEnd();
  const month = { month: '2100-06', payments: 0, lamports: 0 };
  const compared = { checked_payments: 60, ledger_lamports: 3_000_000_000, chain_lamports: 3_000_000_001 };
  expect(await readMonths()).toEqual([{ ...month, ...compared }]);
  now = START + DAY_MS;
  await checkToTheEnd();
  expect(await readMonths()).toEqual([{ ...month, ...compared }]);
});

it('the daily check finds a difference of the month if a payment isn’t on the chain', async () => {
  const [lost = ''] = await addPayments(2);
  environment.transactions.delete(lost);
  await checkToTheEnd();
  expect(await readMonths()).toMatchObject([{ ledger_lamports: 100_000_000, chain_lamports: 50_000_000 }]);
});

it('the ledger check of many payments makes at most six simultaneous requests', async () => {
  await addPayments(60);
  await checkToTheEnd();
  expect(environment.mostAtOnce()).toBe(6);
});

it('the ledger check continues after a stuck run, and ignores that run’s late results', async () => {
  const signatures = await addPayments(120);
  const [lost = ''] = signatures.slice(70);
  environment.transactions.delete(lost);
  const stuck = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  environment.beforeRead = async (signature) => {
    if (signature !== lost) return;
    arrived.resolve();
    await stuck.promise;
  };
  const first = check();
  await arrived.promise;
  environment.beforeRead = async () => undefined;
  now += JOB_LEASE_MS;
  expect(await check()).toEqual({ problems: 1, isFinished: true });
  stuck.resolve();
  await expect(first).rejects.toThrow(LeaseLostError);
  expect(await lastCheck()).toMatchObject({
    problem_count: 1,
    problems: JSON.stringify([{ problem: 'payment.not_on_chain', subject: lost }]),
  });
  // The first fifty payments were committed before the run got stuck, so they aren't read again.
  expect(environment.reads.filter((signature) => signature === signatures[0])).toHaveLength(1);
  expect(alarms.map(({ kind }) => kind)).toEqual(['ledger.problems']);
});

it('the ledger check continues where it failed, ten minutes after the failure', async () => {
  const signatures = await addPayments(120);
  environment.beforeRead = async (signature) => {
    if (signature === signatures[70]) throw new Error('no answer');
  };
  await expect(check()).rejects.toThrow('no answer');
  environment.beforeRead = async () => undefined;
  now += 9 * MINUTE_MS;
  expect(await check()).toBeNull();
  now += MINUTE_MS;
  expect(await check()).toEqual({ problems: 0, isFinished: true });
  expect(environment.reads.filter((signature) => signature === signatures[0])).toHaveLength(1);
  expect(alarms.map(({ kind }) => kind)).toEqual(['ledger.check_failed']);
});

it('the ledger check reports a payment that can’t be read, and doesn’t call it missing', async () => {
  const [, newer = ''] = await addPayments(3);
  environment.transactions.set(newer, 'unreadable');
  expect(await check()).toEqual({ problems: 1, isFinished: true });
  expect(await lastCheck()).toMatchObject({
    problems: JSON.stringify([{ problem: 'payment.unreadable', subject: newer }]),
  });
});

it('a ledger check that takes longer than a day raises one alarm', async () => {
  environment.beforeRead = () => Promise.reject(new Error('no answer'));
  await addPayments(1);
  for (let run = 0; run < 5; run++) {
    await expect(check()).rejects.toThrow('no answer');
    now += DAY_MS / 2;
  }
  expect(alarms.filter(({ kind }) => kind === 'ledger.check_late')).toEqual([
    { kind: 'ledger.check_late', details: { day: '2100-06-10', part: 'payments' } },
  ]);
  environment.beforeRead = async () => undefined;
  expect(await check()).toMatchObject({ isFinished: true });
});
