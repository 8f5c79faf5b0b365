import { expect, inject, it, vi } from 'vitest';
import { BACKUP_AFTER_MS } from '#schema/constants/running.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { toDay } from '#schema/rules/text/utc-day.ts';
import { deleteAgain } from '#dev/backup/delete-again.ts';
import { readManifest, restore } from '#dev/backup/restore.ts';
import { readResponse } from '#test/responses.ts';
import { createPaidCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { PAYMENTS } from '#worker/modules/running/backup/backup-files.ts';
import { createFundedWallet, readStatuses, rpc } from '#test/payments/chain.ts';
import { query, readDatabase } from '#test/database/database.ts';
import { land, openIntent, pay, send, signPayment } from '#test/payments/payments.ts';
import { loseDatabase } from '#test/database/storage.ts';
import { createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';
import { NO_LIMITS } from '#test/test-limits.ts';

// The drill of `npm run restore:drill`: the database is lost in the afternoon, and only R2, the chain and the worker
// are left. In `npm test`, it has fewer payments.

const PAYERS = inject('isDeep') ? 20 : 3;
/** A restored day of payments takes the cron a few runs. */
const MAX_RUNS = 30;

const lines: string[] = [];

/** Records how long a step takes. */
async function timed<Result>(name: string, step: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  const result = await step();
  lines.push(`${name.padEnd(58)}${((performance.now() - startedAt) / 1000).toFixed(1).padStart(8)} s`);
  return result;
}

interface Paid {
  readonly signature: string;
  readonly userId: string;
  readonly callerId: string;
}

/** The ways in which a payment gets onto the chain. */
const WAYS = ['claimed by the page', 'sent, then the page closed', 'sent by the wallet itself'] as const;

async function payInEveryWay(app: TestApp, callerId: string, names: readonly string[]): Promise<Paid[]> {
  const paid: Paid[] = [];
  for (const [index, name] of names.entries()) {
    const person = await app.signIn(name);
    const payer = await createFundedWallet();
    paid.push({
      signature: await payOnce({ person, payer, callerId, way: WAYS[index % WAYS.length] }),
      userId: person.id,
      callerId,
    });
  }
  return paid;
}

async function payOnce(options: {
  person: Person;
  payer: Awaited<ReturnType<typeof createFundedWallet>>;
  callerId: string;
  way: (typeof WAYS)[number] | undefined;
}): Promise<string> {
  const { person, payer, callerId, way } = options;
  if (way === 'claimed by the page') return (await pay({ person, payer, callerId })).signature;
  const transaction = signPayment({ terms: await openIntent(person, callerId), payer });
  if (way === 'sent by the wallet itself') return land(transaction);
  return (await readResponse<{ result: string }>(send(person, transaction))).result;
}

/** All transactions of the platform wallet, over pages of 1,000. */
async function listPlatformSignatures(before?: string): Promise<string[]> {
  const options = { commitment: 'confirmed', ...(before === undefined ? {} : { before }) };
  const listed = await rpc<{ signature: string }[]>(
    'getSignaturesForAddress',
    testEnv.PLATFORM_WALLET,
    options,
  );
  const signatures = listed.map(({ signature }) => signature);
  const last = signatures.at(-1);
  return last === undefined ? [] : [...signatures, ...(await listPlatformSignatures(last))];
}

const listPayments = () =>
  query<Paid>(
    `SELECT p.signature, p.user_id AS userId, p.caller_id AS callerId FROM payments p
     JOIN subscriptions s ON s.payment_id = p.id AND s.finalized_at IS NOT NULL
     ORDER BY p.signature`,
  );
const bySignature = (one: Paid, other: Paid) => (one.signature < other.signature ? -1 : 1);
const listCalls = async () => (await query<{ id: string }>('SELECT id FROM calls')).map(({ id }) => id);
const listEarnings = () =>
  query<{ id: string; earned: number; paid: number }>(
    `SELECT caller_id AS id, earned_lamports AS earned,
       (SELECT COALESCE(SUM(caller_lamports), 0) FROM payments p WHERE p.caller_id = callers.caller_id) AS paid
     FROM callers ORDER BY caller_id`,
  );

/** Responses don't wait for the copies of their payments. */
async function waitForCopies(): Promise<void> {
  const intents = await query<{ reference: string; at: number }>(
    'SELECT reference, created_at AS at FROM payment_intents',
  );
  for (const { reference, at } of intents) {
    const key = `${PAYMENTS}${toDay(at)}/${reference}/intent.json`;
    await vi.waitUntil(() => testEnv.BACKUPS.head(key), { timeout: 20_000 });
  }
}

/** A caller whose call is open. @returns a function that ends it and deletes the account */
async function callAndLeaveLater(app: TestApp): Promise<() => Promise<void>> {
  const { caller } = await createPaidCaller(app, { handle: 'leaving_caller' });
  await readResponse(caller.patch('/api/user/profile', { bio: 'A canary bio' }));
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2, thesis: 'A canary thesis' });
  return async () => {
    await endCall({ caller, call, price: 3 });
    const person = await app.signIn('leaving_caller');
    await readResponse(person.post('/api/user/deletion', { handle: 'leaving_caller' }));
  };
}

it('after a restore from R2 and the chain, no payment is missing', async () => {
  for (const method of ['log', 'warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation(() => undefined);
  }
  const app = await createTestApp({ bindings: NO_LIMITS });
  const earlier = new Set(await listPlatformSignatures());
  const people = (kind: string) => Array.from({ length: PAYERS }, (_, index) => `${kind}_${index}`);

  const { caller, before, leave } = await timed('Payments and calls before the export', async () => {
    const { caller } = await createPaidCaller(app, { handle: 'old_caller' });
    await makeCall({ caller, mint: MINTS.BONK, price: 2 });
    const leaving = await callAndLeaveLater(app);
    const before = await payInEveryWay(app, caller.id, people('early'));
    await app.advance(MINUTE_MS);
    await app.runCron();
    return { caller, before, leave: leaving };
  });
  await app.advance(DAY_MS - (app.clock.now() % DAY_MS) + BACKUP_AFTER_MS);
  // These payments change while the export runs.
  before.push(...(await payInEveryWay(app, caller.id, people('nightly'))));
  await timed('The nightly export', () => app.runCron());

  await app.advance(9 * HOUR_MS);
  const after = await timed('Payments, calls and sign-ups after the export', async () => {
    await makeCall({ caller, mint: MINTS.WIF, price: 3 });
    await leave();
    const { caller: newCaller } = await createPaidCaller(app, { handle: 'new_caller' });
    return [
      ...(await payInEveryWay(app, caller.id, people('late'))),
      ...(await payInEveryWay(app, newCaller.id, people('newest'))),
    ];
  });
  const lostCalls = await listCalls();

  await waitForCopies();
  await timed('The database is lost', loseDatabase);
  await app.advance(HOUR_MS);
  const manifest = await readManifest(testEnv.BACKUPS, 'latest');
  const report = await timed('The restore from R2', () =>
    restore({ db: testEnv.DB, bucket: testEnv.BACKUPS, manifest, now: app.clock.now() }),
  );
  const deleted = await timed('Accounts are deleted again', () =>
    deleteAgain({ db: testEnv.DB, userIds: report.deletedAccounts, now: app.clock.now() }),
  );
  expect(deleted).toBe(1);
  const expected = [...before, ...after].toSorted(bySignature);
  const landed = await readStatuses(expected.map(({ signature }) => signature));
  expect(landed.every((status) => status?.err === null)).toBe(true);

  let runs = 0;
  await timed('The cron reads the chain, and the daily check runs', async () => {
    while (runs < MAX_RUNS && (await listPayments()).length < expected.length) {
      await app.advance(MINUTE_MS);
      await app.runCron();
      runs += 1;
    }
  });

  const found = await listPayments();
  const orphans = await query<{ signature: string }>('SELECT signature FROM payment_orphans');
  const signatures = new Set([...found, ...orphans].map(({ signature }) => signature));
  const missing = expected.filter(({ signature }) => !signatures.has(signature));
  const [check] = await query('SELECT finished_at, problems FROM ledger_checks ORDER BY day DESC LIMIT 1');
  const restoredCalls = new Set(await listCalls());
  const gone = lostCalls.filter((id) => !restoredCalls.has(id));
  lines.push(
    `Restored: ${report.rows} rows and ${report.newerPayments} later intents; ${report.readAgain} payments read again`,
    `Payments on the chain: ${expected.length}; in the ledger: ${found.length}; orphans: ${orphans.length}; ` +
      `missing: ${missing.length}; runs of the cron: ${runs}`,
    `Lost with the database: ${gone.length} calls since the export (${gone.join(', ')})`,
    missing.length === 0 ? 'Verdict: 0 payments missing' : `Verdict: MISSING ${JSON.stringify(missing)}`,
  );
  vi.restoreAllMocks();
  console.info(lines.join('\n'));

  expect(missing).toEqual([]);
  expect(found).toEqual(expected);
  // The platform walk also lists what earlier tests have sent to the platform wallet.
  expect(orphans.filter(({ signature }) => !earlier.has(signature))).toEqual([]);
  // The check may find a payment before the cron has searched for it, and then records it.
  const problems = JSON.parse(String(check?.['problems'])) as { problem: string }[];
  expect(problems.filter(({ problem }) => problem !== 'payment.was_missing')).toEqual([]);
  expect(check?.['finished_at']).not.toBeNull();
  const earnings = await listEarnings();
  expect(earnings.map(({ earned }) => earned)).toEqual(earnings.map(({ paid }) => paid));
  expect(gone).toHaveLength(1);
  expect(JSON.stringify(await readDatabase())).not.toMatch(/leaving_caller|canary/i);
});
