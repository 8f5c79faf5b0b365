import { MINUTE_MS } from '#schema/constants/time.ts';
import { MIN_PRIORITY_FEE_LAMPORTS } from '#schema/rules/money/network-fee.ts';
import { callers } from '#schema/tables/callers.ts';
import { users } from '#schema/tables/users.ts';
import { createPaidCaller } from '#test/people/callers.ts';
import { balanceOf, createFundedWallet, readStatuses, SIGNATURE_FEE } from '#test/payments/chain.ts';
import { countersOf, hasAccess, SCENE_FEE, settle } from '#test/payments/payment-scene.ts';
import { isSigned } from '#web/features/subscribe/payment/payment-types.ts';
import { query, readDatabase } from '#test/database/database.ts';
import { resetStorage } from '#test/database/storage.ts';
import { testEnv } from '#test/test-app.ts';
import { createCrashInjector } from './crash.ts';
import { KILLED } from './killable.ts';
import { createWatchedApp } from './payments-app.ts';
import { payInTab, type Computer, type PayOutcome } from './tab.ts';

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

export type Scene = Awaited<ReturnType<typeof createScene>>;
type Injector = Pick<ReturnType<typeof createCrashInjector>, 'around' | 'transport' | 'closed'>;

export async function createScene() {
  const first = await createWatchedApp();
  const { caller } = await createPaidCaller(first);
  const session = await first.signIn('follower');
  const wallet = await createFundedWallet(100_000);
  await first.advance(MINUTE_MS);
  const beginning = await readDatabase();
  const balance = () => balanceOf(wallet.publicKey.toBase58());

  /** Starts a new worker, and opens a browser in which the follower is signed in. */
  const open = async () => {
    const app = await createWatchedApp();
    return { app, person: app.browser(session) };
  };
  const canAccess = async () => hasAccess({ follower: (await open()).person, caller });

  const begin = async (): Promise<Attempt> => {
    await resetStorage();
    await insertRows(beginning);
    // Makes the walk through the platform wallet begin after the transactions of earlier attempts.
    await query('DELETE FROM job_leases');
    await (await open()).app.services.platformWalk.walk();
    return {
      computer: { storage: new Map(), wallet, signed: new Map() },
      balanceBefore: await balance(),
      reportedDead: new Set(),
      violations: [],
    };
  };

  /** Pays in a new tab with a fresh worker, and records what the page claims. */
  const pay = async (
    { computer, reportedDead, violations }: Attempt,
    { around, transport, closed }: Injector = createCrashInjector(),
  ): Promise<PayOutcome | typeof KILLED> => {
    const tab = payInTab({ ...(await open()), computer, callerId: caller.id, transport, around });
    const outcome = await Promise.race([tab, closed]);
    if (outcome === KILLED) return outcome;
    if (outcome.status === 'complete') {
      if (!(await canAccess())) {
        violations.push('the page reports a complete payment, but the user has no access');
      }
      return outcome;
    }
    const namesOtherPayment =
      outcome.status === 'failed'
        ? outcome.pending !== null && !isSigned(outcome.pending)
        : outcome.isPaidByOther;
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
    const finalized = await query<{ signature: string; user_id: string }>(
      `SELECT p.signature, p.user_id FROM payments p
       JOIN subscriptions s
         ON s.payment_id = p.id AND s.subscriber_id = p.user_id AND s.finalized_at IS NOT NULL`,
    );
    const unfinished = 'SELECT signature FROM payment_broadcasts WHERE dead_at IS NULL AND landed_at IS NULL';
    const compared: Record<string, readonly [actual: unknown, expected: unknown]> = {
      'payments with a settled period': [
        finalized.map(({ signature, user_id }) => [signature, user_id]),
        landed.map((signature) => [signature, session.id]),
      ],
      periods: [(await query('SELECT id FROM subscriptions')).length, landed.length],
      counters: [
        await countersOf(caller),
        {
          subscriber_count: Math.min(1, landed.length),
          paying_count: Math.min(1, landed.length),
          earned_lamports: landed.length * CALLER_PART,
        },
      ],
      orphans: [await query('SELECT signature FROM payment_orphans'), []],
      'open broadcasts': [await query(unfinished), []],
    };
    return Object.entries(compared).flatMap(([what, values]) => {
      const [actual, expected] = values.map((value) => JSON.stringify(value));
      return actual === expected ? [] : [`${what}: ${actual}, not ${expected}`];
    });
  };

  /** Runs the cron, at most three times, until chain and database agree. */
  const repair = async ({ computer, violations }: Attempt): Promise<void> => {
    let found: string[] = [];
    for (let tick = 1; tick <= MAX_TICKS; tick++) {
      await settle(await open());
      found = await differences(await listLanded([...computer.signed.keys()]));
      if (found.length === 0) return;
    }
    violations.push(...found);
  };

  /** Checks the end result. A user without access presses Pay until they have it. */
  const finish = async (attempt: Attempt): Promise<void> => {
    const { computer, balanceBefore, reportedDead, violations } = attempt;
    const outcomes: string[] = [];
    while (outcomes.length < MAX_PRESSES && !(await canAccess())) {
      outcomes.push(describeOutcome(await pay(attempt)));
    }
    if (outcomes.length > 0) await repair(attempt);
    if (outcomes.length > 0 && outcomes.at(-1) !== 'complete') {
      violations.push(`a user without access cannot pay: ${outcomes.join(' / ')}`);
    }

    const landed = await listLanded([...computer.signed.keys()]);
    const spent = balanceBefore - (await balance());
    if (landed.length !== 1) violations.push(`${landed.length} payments landed`);
    if (spent !== SCENE_FEE + NETWORK_FEE) violations.push(`${spent} lamports were spent`);
    if (landed.some((signature) => reportedDead.has(signature))) {
      violations.push('a transaction landed after the page had reported that it cannot');
    }
    for (const { signature, kinds } of await listKinds()) {
      const hasLanded = landed.includes(signature);
      const isRight = hasLanded
        ? /^(granted revoked )?granted finalized$/.test(kinds)
        : kinds === 'granted revoked';
      if (!isRight) {
        violations.push(`the ledger of a payment that ${hasLanded ? 'landed' : 'vanished'} has: ${kinds}`);
      }
    }
  };

  return { begin, pay, repair, finish };
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
  const computed = [callers.isLeading, callers.feeLevel, callers.searchRank, users.liveId];
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

function listKinds(): Promise<{ signature: string; kinds: string }[]> {
  return query(
    `SELECT p.signature, (
       SELECT group_concat(kind, ' ')
       FROM (SELECT kind FROM payment_ledger WHERE payment_id = p.id ORDER BY seq)) AS kinds
     FROM payments p`,
  );
}
