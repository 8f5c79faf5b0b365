import { MINUTE_MS } from '#schema/constants/time.ts';
import { MIN_PRIORITY_FEE_LAMPORTS } from '#schema/rules/money/network-fee.ts';
import { callers } from '#schema/tables/callers.ts';
import { users } from '#schema/tables/users.ts';
import { createPaidCaller } from '#worker/test-support/people/callers.ts';
import {
  balanceOf,
  createFundedWallet,
  readStatuses,
  SIGNATURE_FEE,
} from '#worker/test-support/payments/chain.ts';
import { query, readDatabase } from '#worker/test-support/database/database.ts';
import { resetStorage } from '#worker/test-support/database/storage.ts';
import { testEnv, type TestApp } from '#worker/test-support/test-app.ts';
import { createCrashInjector } from './crash.ts';
import { KILLED } from './killable.ts';
import { createWatchedApp } from './payments-app.ts';
import { payInTab, type Computer, type PayOutcome } from './tab.ts';

const PRICE = 500_000_000n;
/** The network fee of a payment while the network is quiet. */
const NETWORK_FEE = SIGNATURE_FEE + MIN_PRIORITY_FEE_LAMPORTS;
const CALLER_PART = 450_000_000;
const MAX_TICKS = 3;
/** The first press on Pay may only show the state of the last payment. Then the second press pays. */
const MAX_PRESSES = 2;

export interface Attempt {
  readonly computer: Computer;
  readonly balanceBefore: bigint;
  /** Signatures that can never land, according to the page. */
  readonly reportedDead: Set<string>;
  readonly violations: string[];
}

export interface Scene {
  readonly callerId: string;
  /** Starts a new worker, and opens a browser in which the follower is signed in. */
  open(): Promise<{ app: TestApp; person: ReturnType<TestApp['browser']> }>;
  begin(): Promise<Attempt>;
  /** Pays in a new tab with a fresh worker, and records what the page claims. */
  pay(
    attempt: Attempt,
    injector?: Pick<ReturnType<typeof createCrashInjector>, 'around' | 'transport' | 'closed'>,
  ): Promise<PayOutcome | typeof KILLED>;
  /** Runs the cron, at most three times, until chain and database agree. */
  repair(attempt: Attempt): Promise<void>;
  /** Checks the end result. A user without access presses Pay until they have it. */
  finish(attempt: Attempt): Promise<void>;
}

export async function createScene(): Promise<Scene> {
  const first = await createWatchedApp();
  const callerId = (await createPaidCaller(first)).caller.id;
  const session = await first.signIn('follower');
  const wallet = await createFundedWallet(100_000);
  await first.advance(MINUTE_MS);
  const beginning = await readDatabase();

  const open: Scene['open'] = async () => {
    const app = await createWatchedApp();
    return { app, person: app.browser(session) };
  };
  const hasAccess = async () =>
    (await (await open()).person.get(`/api/token-calls/caller/${callerId}/active`)).status === 200;

  const pay: Scene['pay'] = async (
    { computer, reportedDead, violations },
    { around, transport, closed } = createCrashInjector(),
  ) => {
    const outcome = await Promise.race([
      payInTab({ ...(await open()), computer, callerId, transport, around }),
      closed,
    ]);
    if (outcome === KILLED) return outcome;
    if (outcome.status === 'complete') {
      if (!(await hasAccess())) {
        violations.push('the page reports a complete payment, but the user has no access');
      }
      return outcome;
    }
    const namesOtherPayment =
      outcome.status === 'failed' ? outcome.otherPayment !== undefined : outcome.isPaidByOther;
    if (namesOtherPayment && !(await isPaidOrOnItsWay())) {
      violations.push(`the page names another payment, but there is none: ${outcome.reason}`);
    }
    // The page offers to pay again, so the signed transactions must never land.
    if (outcome.status === 'failed' && outcome.pending === null && !namesOtherPayment) {
      for (const signature of computer.signed.keys()) reportedDead.add(signature);
    }
    return outcome;
  };

  /** Finds differences between the database and the chain. */
  const differences = async (landed: readonly string[]): Promise<string[]> => {
    const found: string[] = [];
    const expectSame = (what: string, actual: unknown, expected: unknown) => {
      const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)];
      if (one !== other) found.push(`${what}: ${one}, not ${other}`);
    };
    const finalized = await query<{ signature: string; user_id: string }>(
      `SELECT p.signature, p.user_id FROM payments p
       JOIN subscriptions s
         ON s.payment_id = p.id AND s.subscriber_id = p.user_id AND s.finalized_at IS NOT NULL`,
    );
    expectSame(
      'payments with a settled period',
      finalized.map(({ signature, user_id }) => [signature, user_id]),
      landed.map((signature) => [signature, session.id]),
    );
    expectSame('periods', (await query('SELECT id FROM subscriptions')).length, landed.length);
    const [counters] = await query(
      'SELECT subscriber_count, earned_lamports FROM callers WHERE caller_id = ?',
      callerId,
    );
    expectSame('counters', counters, {
      subscriber_count: Math.min(1, landed.length),
      earned_lamports: landed.length * CALLER_PART,
    });
    expectSame('orphans', await query('SELECT signature FROM payment_orphans'), []);
    expectSame(
      'open broadcasts',
      await query('SELECT signature FROM payment_broadcasts WHERE dead_at IS NULL AND landed_at IS NULL'),
      [],
    );
    return found;
  };

  const repair: Scene['repair'] = async ({ computer, violations }) => {
    let found: string[] = [];
    for (let tick = 1; tick <= MAX_TICKS; tick++) {
      const { app } = await open();
      await app.advance(MINUTE_MS);
      await app.runJobs('payments');
      found = await differences(await listLanded([...computer.signed.keys()]));
      if (found.length === 0) return;
    }
    violations.push(...found);
  };

  return {
    callerId,
    open,

    async begin() {
      await resetStorage();
      await insertRows(beginning);
      // The platform walk begins behind the transactions of the attempts before.
      await query('DELETE FROM job_leases');
      await (await open()).app.services.platformWalk.walk();
      const balanceBefore = await balanceOf(wallet.publicKey.toBase58());
      return {
        computer: { storage: new Map(), wallet, signed: new Map() },
        balanceBefore,
        reportedDead: new Set(),
        violations: [],
      };
    },

    pay,
    repair,

    async finish(attempt) {
      const { computer, balanceBefore, reportedDead, violations } = attempt;
      const outcomes: string[] = [];
      while (outcomes.length < MAX_PRESSES && !(await hasAccess())) {
        const outcome = await pay(attempt);
        outcomes.push(describeOutcome(outcome));
      }
      if (outcomes.length > 0) await repair(attempt);
      if (outcomes.length > 0 && outcomes.at(-1) !== 'complete') {
        violations.push(`a user without access cannot pay: ${outcomes.join(' / ')}`);
      }

      const landed = await listLanded([...computer.signed.keys()]);
      const spent = balanceBefore - (await balanceOf(wallet.publicKey.toBase58()));
      if (landed.length !== 1) violations.push(`${landed.length} payments landed`);
      if (spent !== PRICE + NETWORK_FEE) violations.push(`${spent} lamports were spent`);
      for (const signature of landed) {
        if (reportedDead.has(signature)) {
          violations.push('a transaction landed after the page had reported that it cannot');
        }
      }
      for (const { signature, kinds } of await listLedger()) {
        const hasLanded = landed.includes(signature);
        const isRight = hasLanded
          ? /^(granted revoked )?granted finalized$/.test(kinds)
          : kinds === 'granted revoked';
        if (!isRight) {
          violations.push(`the ledger of a payment that ${hasLanded ? 'landed' : 'vanished'} has: ${kinds}`);
        }
      }
    },
  };
}

function describeOutcome(outcome: PayOutcome | typeof KILLED): string {
  if (outcome === KILLED) return 'interrupted';
  return outcome.status === 'complete' ? outcome.status : outcome.reason;
}

async function insertRows(rows: Record<string, Record<string, unknown>[]>): Promise<void> {
  // Users come first, because other tables refer to them. SQLite computes the generated columns.
  const tables = [
    'users',
    ...Object.keys(rows).filter((name) => name !== 'users' && name !== 'd1_migrations'),
  ];
  const computed = [callers.isProven, callers.feeLevel, callers.searchRank, users.liveId];
  const generated: string[] = computed.map(({ name }) => name);
  const insert = (name: string, values: Record<string, unknown>) => {
    const columns = Object.keys(values).filter((column) => !generated.includes(column));
    return testEnv.DB.prepare(
      `INSERT INTO "${name}" ("${columns.join('", "')}") VALUES (${columns.map(() => '?').join(', ')})`,
    ).bind(...columns.map((column) => values[column]));
  };
  await testEnv.DB.batch(tables.flatMap((name) => (rows[name] ?? []).map((values) => insert(name, values))));
}

async function isPaidOrOnItsWay(): Promise<boolean> {
  return (
    (await query('SELECT 1 FROM payment_broadcasts WHERE dead_at IS NULL UNION ALL SELECT 1 FROM payments'))
      .length > 0
  );
}

async function listLanded(signatures: readonly string[]): Promise<string[]> {
  const statuses = await readStatuses(signatures);
  return signatures.filter((_, index) => statuses[index]?.err === null);
}

function listLedger(): Promise<{ signature: string; kinds: string }[]> {
  return query(
    `SELECT p.signature, (
       SELECT group_concat(kind, ' ')
       FROM (SELECT kind FROM payment_ledger WHERE payment_id = p.id ORDER BY seq)) AS kinds
     FROM payments p`,
  );
}
