import { applyD1Migrations, reset } from 'cloudflare:test';
import type { Keypair } from '@solana/web3.js';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MINUTE_MS } from '#schema/constants.ts';
import { createPaidCaller } from '#worker/test-support/callers.ts';
import { balanceOf, createFundedWallet, rpc, SIGNATURE_FEE } from '#worker/test-support/chain.ts';
import { query, readDatabase } from '#worker/test-support/database.ts';
import { land, openIntent, settle, signPayment } from '#worker/test-support/payments.ts';
import { control, testEnv, type Person, type TestApp } from '#worker/test-support/test-app.ts';
import { watchFetch } from './support/awaits.ts';
import { createFatality, FATES, GONE, type Crash, type Moment } from './support/crash.ts';
import { createWatchedApp } from './support/payments-app.ts';
import { connectPages, payInTab, type Computer, type PayOutcome } from './support/tab.ts';

// Wherever the page or the worker stops between Pay and complete, the money that moved has bought exactly one period
// three ticks of the cron later, and whoever has none can pay.

const PRICE = 500_000_000n;
const CALLER_PART = 450_000_000;
const MAX_TICKS = 3;
/** One to hear what became of the last payment, one to pay. */
const MAX_PRESSES = 2;
const PATIENCE_MS = 600_000;

const table: { flow: string; moments: number; runs: number; violations: number; ticks: number }[] = [];
const endings: (() => void)[] = [];
/** The database as everybody has signed in, before anybody pays. */
let beginning: Record<string, Record<string, unknown>[]>;
let session: Pick<Person, 'id' | 'handle' | 'cookie'>;
let callerId: string;
let wallet: Keypair;

beforeEach(async () => {
  for (const method of ['log', 'warn', 'error'] as const) vi.spyOn(console, method).mockImplementation(() => undefined);
  endings.push(watchFetch(), connectPages());
  const app = await createWatchedApp();
  callerId = (await createPaidCaller(app)).caller.id;
  session = await app.signIn('follower');
  wallet = await createFundedWallet(100_000);
  await app.advance(MINUTE_MS);
  beginning = await readDatabase();
});

afterEach(() => {
  for (const end of endings.splice(0).toReversed()) end();
});

afterAll(() => {
  vi.restoreAllMocks();
  const row = (cells: readonly (string | number)[]) => cells.map((cell, index) => (index === 0 ? String(cell).padEnd(44) : String(cell).padStart(12))).join('');
  const total = { flow: 'together', moments: 0, runs: 0, violations: 0, ticks: 0 };
  for (const { moments, runs, violations, ticks } of table) Object.assign(total, { moments: total.moments + moments, runs: total.runs + runs, violations: total.violations + violations, ticks: Math.max(total.ticks, ticks) });
  const rows = [...table, total].map(({ flow, moments, runs, violations, ticks }) => row([flow, moments, runs, violations, ticks]));
  console.info([row(['flow', 'moments', 'runs', 'violations', 'most ticks']), ...rows].join('\n'));
});

async function begin(): Promise<void> {
  await reset();
  await applyD1Migrations(testEnv.DB, testEnv.TEST_MIGRATIONS);
  const tables = ['users', ...Object.keys(beginning).filter((name) => name !== 'users' && name !== 'd1_migrations')];
  const rows = tables.flatMap((name) => (beginning[name] ?? []).map((values) => ({ name, values })));
  await testEnv.DB.batch(
    rows.map(({ name, values }) =>
      testEnv.DB.prepare(`INSERT INTO "${name}" (${Object.keys(values).map((column) => `"${column}"`).join(', ')}) VALUES (${Object.keys(values).map(() => '?').join(', ')})`).bind(...Object.values(values)),
    ),
  );
}

/** One person's computer and what it has cost them so far. */
interface Attempt {
  readonly computer: Computer;
  readonly balanceBefore: bigint;
  /** Signatures of which the page has said that they cost nothing and never will. */
  readonly promisedDead: Set<string>;
  /** Signatures of money that buys nothing. */
  readonly lost: string[];
  readonly violations: string[];
}

async function beginAttempt(): Promise<Attempt> {
  return { computer: { storage: new Map(), wallet, signed: new Map() }, balanceBefore: await balanceOf(wallet.publicKey.toBase58()), promisedDead: new Set(), lost: [], violations: [] };
}

const mayRead = async (app: TestApp) => (await app.browser(session).get(`/api/token-calls/caller/${callerId}/active`)).status === 200;

/** Pays in a tab of its own, on a worker that has just started, and takes the page at its word. */
async function pay(attempt: Attempt, { around, transport, closed }: Pick<ReturnType<typeof createFatality>, 'around' | 'transport' | 'closed'> = createFatality()): Promise<PayOutcome | typeof GONE> {
  const app = await createWatchedApp();
  const { computer, promisedDead, violations } = attempt;
  const outcome = await Promise.race([payInTab({ app, person: app.browser(session), computer, callerId, transport, around }), closed]);
  if (outcome === GONE) return outcome;
  if (outcome.status === 'complete') {
    if (!(await mayRead(app))) violations.push('the page says complete to somebody without access');
    return outcome;
  }
  const speaksOfAnother = outcome.status === 'failed' ? outcome.elsewhere !== undefined : outcome.isPaidElsewhere;
  if (speaksOfAnother && !(await isPaidOrOnItsWay())) violations.push(`there is no other payment: ${outcome.reason}`);
  // It offers to pay anew.
  if (outcome.status === 'failed' && outcome.pending === null && !speaksOfAnother) for (const signature of computer.signed.keys()) promisedDead.add(signature);
  return outcome;
}

async function isPaidOrOnItsWay(): Promise<boolean> {
  return (await query('SELECT 1 FROM payment_broadcasts WHERE dead_at IS NULL UNION ALL SELECT 1 FROM payments')).length > 0;
}

async function listLanded(signatures: readonly string[]): Promise<string[]> {
  if (signatures.length === 0) return [];
  const { value } = await rpc<{ value: ({ err: unknown } | null)[] }>('getSignatureStatuses', signatures, { searchTransactionHistory: true });
  return signatures.filter((_, index) => value[index]?.err === null);
}

/** Where the database does not say what the chain says. */
async function differences(landed: readonly string[], lost: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const expectSame = (what: string, actual: unknown, expected: unknown) => {
    const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (one !== other) found.push(`${what}: ${one}, not ${other}`);
  };
  const granted = await query<{ signature: string; user_id: string }>('SELECT p.signature, p.user_id FROM payments p JOIN subscriptions s ON s.payment_id = p.id AND s.subscriber_id = p.user_id AND s.settled_at IS NOT NULL');
  expectSame('payments with a settled period', granted.map(({ signature, user_id }) => [signature, user_id]), landed.map((signature) => [signature, session.id]));
  expectSame('periods', (await query('SELECT id FROM subscriptions')).length, landed.length);
  const [counters] = await query('SELECT subscriber_count, earned_lamports FROM callers WHERE caller_id = ?', callerId);
  expectSame('counters', counters, { subscriber_count: Math.min(1, landed.length), earned_lamports: landed.length * CALLER_PART });
  expectSame('orphans', (await query<{ signature: string }>('SELECT signature FROM payment_orphans')).map(({ signature }) => signature), lost);
  expectSame('what holds up others', await query('SELECT signature FROM payment_broadcasts WHERE dead_at IS NULL AND landed_at IS NULL'), []);
  return found;
}

/** Lets the cron tick until chain and database agree. Answers how many ticks that took. */
async function heal({ computer, lost, violations }: Attempt): Promise<number> {
  let found: string[] = [];
  for (let tick = 1; tick <= MAX_TICKS; tick++) {
    const app = await createWatchedApp();
    await app.advance(MINUTE_MS);
    await app.runCron();
    found = await differences(await listLanded([...computer.signed.keys()]), lost);
    if (found.length === 0) return tick;
  }
  violations.push(...found);
  return MAX_TICKS;
}

/** What has to be true in the end, whatever happened. Who has no access yet presses Pay until they have. */
async function finish(attempt: Attempt): Promise<void> {
  const { computer, balanceBefore, promisedDead, violations } = attempt;
  const said: string[] = [];
  while (said.length < MAX_PRESSES && !(await mayRead(await createWatchedApp()))) {
    const outcome = await pay(attempt);
    said.push(outcome === GONE ? 'gone' : outcome.status === 'complete' ? 'complete' : outcome.reason);
  }
  if (said.length > 0) await heal(attempt);
  if (said.length > 0 && said.at(-1) !== 'complete') violations.push(`who has nothing cannot pay: ${said.join(' / ')}`);
  const landed = await listLanded([...computer.signed.keys()]);
  const spent = balanceBefore - (await balanceOf(wallet.publicKey.toBase58()));
  if (landed.length !== 1) violations.push(`${landed.length} payments landed`);
  if (spent !== PRICE + SIGNATURE_FEE) violations.push(`${spent} lamports were spent`);
  for (const signature of landed) if (promisedDead.has(signature)) violations.push('what the page called dead has landed');
  const lines = await query<{ signature: string; kinds: string }>("SELECT p.signature, (SELECT group_concat(kind, ' ') FROM (SELECT kind FROM payment_ledger WHERE payment_id = p.id ORDER BY seq)) AS kinds FROM payments p");
  for (const { signature, kinds } of lines) {
    const isRight = landed.includes(signature) ? /^(granted revoked )?granted settled$/.test(kinds) : kinds === 'granted revoked';
    if (!isRight) violations.push(`the ledger says of a payment that ${landed.includes(signature) ? 'landed' : 'is gone'}: ${kinds}`);
  }
}

interface Ran {
  readonly moments: readonly Moment[];
  readonly violations: readonly string[];
  readonly ticks: number;
}

/** A flow, alone or with a crash. Looked at `later`, it is `null` where that is no different. */
type Flow = (crash?: Crash, looks?: 'at once' | 'later') => Promise<Ran | null>;

/** Runs a flow once without a crash, and then with each fate at each of its moments. */
async function crashEverywhere(name: string, flow: Flow): Promise<void> {
  const calm = await flow();
  if (calm === null) throw new Error('A flow runs without a crash');
  expect(calm.violations).toEqual([]);
  const found: string[] = [];
  const result = { flow: name, moments: calm.moments.length, runs: 1, ticks: calm.ticks };
  for (const fate of FATES) {
    for (const [at, { what, when }] of calm.moments.entries()) {
      for (const looks of ['at once', 'later'] as const) {
        const ran = await flow({ at, fate }, looks);
        if (ran === null) continue;
        result.runs += 1;
        result.ticks = Math.max(result.ticks, ran.ticks);
        found.push(...ran.violations.map((violation) => `${fate} ${when} ${what} (${at}), looks ${looks}: ${violation}`));
      }
    }
  }
  table.push({ ...result, violations: found.length });
  expect(found).toEqual([]);
}

type Fatality = ReturnType<typeof createFatality>;

/** Somebody pays, perhaps goes on paying, and it stops at a moment. They look again at once, or the next time when the cron has ticked. */
const paying = ({ stops, prepare = async () => undefined }: { stops: 'page' | 'worker'; prepare?: (attempt: Attempt) => Promise<unknown> }): Flow => {
  const isOver = new Set<string>();
  return async (crash, looks = 'at once') => {
    if (looks === 'later' && isOver.has(JSON.stringify(crash))) return null;
    await begin();
    const attempt = await beginAttempt();
    await prepare(attempt);
    const [fatality, calm] = [createFatality(crash), createFatality()];
    const outcome = await pay(attempt, stops === 'page' ? { ...fatality, transport: calm.transport } : { ...calm, transport: fatality.transport });
    const moments = [...fatality.moments];
    const isComplete = outcome !== GONE && outcome.status === 'complete';
    if (isComplete) isOver.add(JSON.stringify(crash));
    else if (looks === 'at once') await pay(attempt);
    const ticks = await heal(attempt);
    await finish(attempt);
    return { moments, violations: attempt.violations, ticks };
  };
};

/** Something has happened, and the worker stops at a moment of what its cron does about it. */
const ticking =
  ({ prepare, tick }: { prepare: (attempt: Attempt) => Promise<unknown>; tick: (app: TestApp) => Promise<unknown> }): Flow =>
  async (crash, looks) => {
    if (looks === 'later') return null;
    await begin();
    const attempt = await beginAttempt();
    await prepare(attempt);
    const fatality = createFatality(crash);
    const app = await createWatchedApp();
    await fatality.inWorker(() => tick(app));
    const moments = [...fatality.moments];
    const ticks = await heal(attempt);
    await finish(attempt);
    return { moments, violations: attempt.violations, ticks };
  };

const stopAt = (what: string, when: Moment['when']): Fatality => createFatality({ at: { what, when }, fate: 'dies' });
const signOnly = (attempt: Attempt) => pay(attempt, stopAt('sendTransaction', 'before'));
const sendOnly = (attempt: Attempt) => pay(attempt, stopAt('sendTransaction', 'after'));
const wait = async (milliseconds: number) => (await createWatchedApp()).advance(milliseconds);
const forget = (signature: string | undefined) => control('POST', '/solana/forget', { signature });
const lastSigned = ({ computer }: Attempt) => [...computer.signed].at(-1) ?? ['', new Uint8Array()] as const;

/** The parts of the cron that have to do with payments, as it runs them: one that fails leaves the other alone. */
const followUp = async ({ services }: TestApp) => {
  for (const part of [services.reconciliation.reconcile, services.reconciliation.settle]) await part().catch(() => undefined);
};

const flows: readonly [name: string, flow: Flow][] = [
  ['the page stops', paying({ stops: 'page' })],
  ['the worker stops', paying({ stops: 'worker' })],
  ['the page stops while it goes on with a signed payment', paying({ stops: 'page', prepare: signOnly })],
  ['the worker stops while the page goes on with a signed payment', paying({ stops: 'worker', prepare: signOnly })],
  [
    'the cron stops over a payment that nobody claims',
    ticking({
      prepare: async (attempt) => {
        await sendOnly(attempt);
        await settle(await createWatchedApp());
      },
      tick: (app) => app.runCron(),
    }),
  ],
  [
    'the cron stops over one that is finalized',
    ticking({
      prepare: async (attempt) => {
        await sendOnly(attempt);
        await wait(MINUTE_MS);
      },
      tick: followUp,
    }),
  ],
  [
    'the cron stops over one that a fork took away',
    ticking({
      prepare: async (attempt) => {
        await pay(attempt);
        await forget(lastSigned(attempt)[0]);
        await wait(MINUTE_MS);
      },
      tick: followUp,
    }),
  ],
  [
    'the cron stops over one that landed again',
    ticking({
      prepare: async (attempt) => {
        await pay(attempt);
        const [signature, bytes] = lastSigned(attempt);
        await forget(signature);
        await wait(20_000);
        await followUp(await createWatchedApp());
        await land(bytes);
        await wait(2_000);
      },
      tick: followUp,
    }),
  ],
  [
    'the cron stops over one that got lost',
    ticking({
      prepare: async (attempt) => {
        await sendOnly(attempt);
        await forget(lastSigned(attempt)[0]);
        await wait(2 * MINUTE_MS);
      },
      tick: followUp,
    }),
  ],
  [
    'the cron stops over money that buys nothing',
    ticking({
      prepare: async ({ lost }) => {
        const app = await createWatchedApp();
        const terms = await openIntent(app.browser(session), callerId);
        lost.push(await land(signPayment({ terms, payer: await createFundedWallet(), changes: { callerLamports: 1_000_000n } })));
        await app.advance(MINUTE_MS);
      },
      tick: followUp,
    }),
  ],
];

it.each(flows)('%s: nothing is lost, and nothing is paid twice', { timeout: PATIENCE_MS }, crashEverywhere);
