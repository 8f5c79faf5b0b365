import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, JOB_LEASE_MS, MINUTE_MS, SMALL_ORPHAN_LAMPORTS } from '#schema/constants.ts';
import type { ChainTransaction } from '../../../ports/chain.ts';
import type { Alarm } from '../../../shared/alarms.ts';
import { createDatabase } from '../../../shared/database.ts';
import { createJobLeases, LeaseLostError } from '../../../shared/job-leases.ts';
import { createPaidCaller } from '../../../test-support/people/callers.ts';
import { query } from '../../../test-support/database/database.ts';
import { createListChain, type ListChain } from '../../../test-support/payments/list-chain.ts';
import { insertPastPayments } from '../../../test-support/payments/past-payments.ts';
import { createTestApp, testEnv } from '../../../test-support/test-app.ts';
import { createBroadcastsRepository } from './broadcasts.repository.ts';
import { createIntentsRepository } from './intents.repository.ts';
import { COST_PER_RUN, createLedgerCheckService } from './ledger-check.service.ts';
import { createLedgerChecksRepository } from './ledger-checks.repository.ts';
import { createLedgerRepository } from './ledger.repository.ts';

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
function check({ platformAddress = PLATFORM } = {}) {
  const db = createDatabase(testEnv.DB);
  return createLedgerCheckService({
    intents: createIntentsRepository(db),
    broadcasts: createBroadcastsRepository(db),
    ledger: createLedgerRepository(db),
    checks: createLedgerChecksRepository(db),
    leases: createJobLeases({ db, clock }),
    chain: environment.chain,
    live: { peopleChanged: () => undefined },
    clock,
    platformAddress,
    signaturesPerRequest: 5,
    alarm: async (alarm) => {
      alarms.push(alarm);
    },
  }).checkOncePerDay();
}

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

const lastCheck = async () =>
  (
    await query<{
      finished_at: number | null;
      scanned_until: string | null;
      problem_count: number;
      problems: string;
      dust_transfers: number;
      dust_lamports: number;
    }>('SELECT * FROM ledger_checks ORDER BY day DESC LIMIT 1')
  )[0];
const openOrphans = async () =>
  (
    await query<{ signature: string }>(
      'SELECT signature FROM payment_orphans WHERE resolved_at IS NULL ORDER BY found_at',
    )
  ).map(({ signature }) => signature);

/** A transfer to the platform wallet that names no intent. */
function addTransfer(signature: string, { lamports, slot }: { lamports: bigint; slot: number }): void {
  environment.entries.unshift({ signature, slot, hasFailed: false, at: null });
  environment.transactions.set(signature, {
    signature,
    slot,
    blockTime: now,
    hasFailed: false,
    accounts: ['stranger', PLATFORM],
    signers: ['stranger'],
    transfers: [{ source: 'stranger', destination: PLATFORM, lamports }],
    balanceChanges: new Map([[PLATFORM, lamports]]),
    feePayer: 'stranger',
    feeLamports: 5_000n,
  });
}

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
  addTransfer('first', { lamports: 1_000_000n, slot: 1 });
  expect(await check()).toEqual({ problems: 0, isFinished: true });
  now = START;
});

describe('a check of many payments', () => {
  it('the ledger check reads each of many payments once, over several limited runs', async () => {
    const signatures = await addPayments(3 * COST_PER_RUN);
    const runs = await checkToTheEnd();
    expect(runs.length).toBeGreaterThanOrEqual(3);
    expect(Math.max(...runs)).toBeLessThan(COST_PER_RUN + 100);
    expect(environment.reads.toSorted()).toEqual(signatures);
    expect(await lastCheck()).toMatchObject({ problem_count: 0, scanned_until: 'first' });
    expect(alarms).toEqual([]);
    // The next check begins a day later.
    expect(await check()).toBeNull();
  });

  it('the ledger check of many payments makes at most six requests at once', async () => {
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

  it('the ledger check raises one alarm if it takes longer than a day', async () => {
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
});

describe('the walk through the platform wallet', () => {
  it('the walk through the platform wallet finds money behind 25,000 transactions, and counts dust without an alarm', async () => {
    addTransfer('real', { lamports: 1_000_000n, slot: 2 });
    for (let number = 0; number < 25_000; number++) {
      const signature = `flood-${number}`;
      if (number % 50 === 0) addTransfer(signature, { lamports: 1n, slot: 3 + number });
      else environment.entries.push({ signature, slot: 3 + number, hasFailed: true, at: null });
    }
    // The chain lists its transactions newest first.
    environment.entries.sort((one, other) => other.slot - one.slot);
    const runs = await checkToTheEnd();
    expect(runs.length).toBeGreaterThan(1);
    expect(Math.max(...runs)).toBeLessThan(COST_PER_RUN + 100);
    expect(await openOrphans()).toEqual(['real']);
    expect(await lastCheck()).toMatchObject({
      dust_transfers: 500,
      dust_lamports: 500,
      problem_count: 1,
      scanned_until: 'flood-24999',
    });
    expect(alarms.map(({ kind }) => kind)).toEqual(['ledger.problems']);
    // The next check finds nothing new.
    now += DAY_MS;
    const reads = environment.reads.length;
    await checkToTheEnd();
    expect(environment.reads).toHaveLength(reads);
    expect(await lastCheck()).toMatchObject({ dust_transfers: 0, problem_count: 0 });
  });

  it('the walk through the platform wallet skips an unreadable transaction, and reads it again the next day', async () => {
    addTransfer('late', { lamports: 2_000_000n, slot: 2 });
    addTransfer('later', { lamports: 3_000_000n, slot: 3 });
    const late = environment.transactions.get('late');
    environment.transactions.delete('late');
    await checkToTheEnd();
    expect(await openOrphans()).toEqual(['later']);
    if (late) environment.transactions.set('late', late);
    now += DAY_MS;
    await checkToTheEnd();
    expect((await openOrphans()).toSorted()).toEqual(['late', 'later']);
    now += DAY_MS;
    const reads = environment.reads.length;
    await checkToTheEnd();
    expect(environment.reads).toHaveLength(reads);
  });

  it('the walk through the platform wallet reads every transaction once if each slot has fifty', async () => {
    for (let number = 0; number < 150; number++) {
      addTransfer(`same-${number}`, { lamports: 1n, slot: 2 + Math.floor(number / 50) });
    }
    await checkToTheEnd();
    expect(new Set(environment.reads).size).toBe(150);
    expect(await lastCheck()).toMatchObject({ dust_transfers: 150 });
  });

  it('the walk begins at the newest transaction of a new platform wallet, and reports the new wallet', async () => {
    addTransfer('new', { lamports: 2_000_000n, slot: 2 });
    expect(await check({ platformAddress: 'another-wallet' })).toEqual({ problems: 1, isFinished: true });
    expect(await lastCheck()).toMatchObject({
      problems: JSON.stringify([{ problem: 'chain.new_platform_wallet', subject: 'another-wallet' }]),
      scanned_until: 'new',
    });
  });
});

describe('resolving the small orphans of a wallet', () => {
  it('resolving small orphan payments of one wallet leaves other orphans open, even after the next check', async () => {
    for (let number = 0; number < 30; number++) {
      addTransfer(`spam-${number}`, { lamports: 150_000n, slot: 2 + number });
    }
    addTransfer('real', { lamports: 50_000_000n, slot: 100 });
    await checkToTheEnd();
    expect(await openOrphans()).toHaveLength(31);
    await query(
      `UPDATE payment_orphans SET resolved_at = 1
      WHERE resolved_at IS NULL AND payer_address = 'stranger' AND platform_lamports < ${SMALL_ORPHAN_LAMPORTS}`,
    );
    expect(await openOrphans()).toEqual(['real']);
    now += DAY_MS;
    await checkToTheEnd();
    expect(await openOrphans()).toEqual(['real']);
    expect(alarms.map(({ kind }) => kind)).toEqual(['ledger.problems']);
  });
});
