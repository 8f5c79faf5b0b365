import { afterAll, afterEach, beforeEach, expect, inject, it, vi } from 'vitest';
import { MINUTE_MS } from '#schema/constants.ts';
import { createFundedWallet } from '#worker/test-support/chain.ts';
import { land, openIntent, settle, signPayment } from '#worker/test-support/payments.ts';
import { control, type TestApp } from '#worker/test-support/test-app.ts';
import { watchFetch } from './support/awaits.ts';
import {
  createCrashInjector,
  CRASH_KINDS,
  INTERRUPTED,
  type Crash,
  type CrashKind,
  type Moment,
} from './support/crash.ts';
import { createScene, type Attempt, type Scene } from './support/scene.ts';
import { connectPages } from './support/tab.ts';

// In these tests, the page or the worker stops at some point of a payment. After three cron runs, each landed
// payment must have bought exactly one period. A user without a period must be able to pay.

const TEST_TIMEOUT_MS = 600_000;
/**
 * The number of crashes that `npm test` tries per flow. They are spread evenly over the flow's moments. `npm
 * run test:deep` tries all crashes.
 */
const CRASHES_SAMPLED = 6;

const table: { flow: string; moments: number; runs: number; violations: number; ticks: number }[] = [];
const endings: (() => void)[] = [];
let scene: Scene;

beforeEach(async () => {
  for (const method of ['log', 'warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation(() => undefined);
  }
  endings.push(watchFetch(), connectPages());
  scene = await createScene();
});

afterEach(() => {
  for (const end of endings.splice(0).toReversed()) end();
});

afterAll(() => {
  vi.restoreAllMocks();
  const row = (cells: readonly (string | number)[]) =>
    cells.map((cell, index) => (index === 0 ? String(cell).padEnd(64) : String(cell).padStart(12))).join('');
  const sum = (of: 'moments' | 'runs' | 'violations') => table.reduce((total, each) => total + each[of], 0);
  const together = {
    flow: 'together',
    moments: sum('moments'),
    runs: sum('runs'),
    violations: sum('violations'),
    ticks: Math.max(0, ...table.map(({ ticks }) => ticks)),
  };
  console.info(
    [
      row(['flow', 'moments', 'runs', 'violations', 'most ticks']),
      ...[...table, together].map(({ flow, moments, runs, violations, ticks }) =>
        row([flow, moments, runs, violations, ticks]),
      ),
    ].join('\n'),
  );
});

interface FlowResult {
  readonly moments: readonly Moment[];
  readonly violations: readonly string[];
  readonly ticks: number;
}

/** Runs a flow, with or without a crash. Returns null for a 'later' run that would equal the 'at once' run. */
type Flow = (crash?: Crash, returns?: 'at once' | 'later') => Promise<FlowResult | null>;

/**
 * Returns every kind of crash at every moment of a flow. Outside of deep tests, returns only an even sample of
 * them.
 */
function chooseCrashes(moments: number): { at: number; kind: CrashKind }[] {
  const all = CRASH_KINDS.flatMap((kind) => Array.from({ length: moments }, (_, at) => ({ at, kind })));
  if (inject('isDeep')) return all;
  const stride = Math.max(1, all.length / CRASHES_SAMPLED);
  return all.filter((_, index) => Math.floor(index / stride) !== Math.floor((index - 1) / stride));
}

/** Runs a flow once without a crash, and then with crashes at its moments. */
async function crashEverywhere(name: string, flow: Flow): Promise<void> {
  const undisturbed = await flow();
  if (undisturbed === null) throw new Error('A flow without a crash must return its moments');
  expect(undisturbed.violations).toEqual([]);
  const found: string[] = [];
  const result = { flow: name, moments: undisturbed.moments.length, runs: 1, ticks: undisturbed.ticks };
  for (const { at, kind } of chooseCrashes(undisturbed.moments.length)) {
    const { what, when } = undisturbed.moments[at] as Moment;
    for (const returns of ['at once', 'later'] as const) {
      const ran = await flow({ at, kind }, returns);
      if (ran === null) continue;
      result.runs += 1;
      result.ticks = Math.max(result.ticks, ran.ticks);
      found.push(
        ...ran.violations.map(
          (violation) => `${kind} ${when} ${what} (${at}), user returns ${returns}: ${violation}`,
        ),
      );
    }
  }
  table.push({ ...result, violations: found.length });
  expect(found).toEqual([]);
}

/** A crash interrupts a payment. The user returns at once, or after the next cron run. */
const payFlow = ({
  stops,
  prepare = async () => undefined,
}: {
  stops: 'page' | 'worker';
  prepare?: (attempt: Attempt) => Promise<unknown>;
}): Flow => {
  const isComplete = new Set<string>();
  return async (crash, returns = 'at once') => {
    const id = JSON.stringify(crash);
    if (returns === 'later' && isComplete.has(id)) return null;
    const attempt = await scene.begin();
    await prepare(attempt);
    const [injector, undisturbed] = [createCrashInjector(crash), createCrashInjector()];
    const outcome = await scene.pay(
      attempt,
      stops === 'page'
        ? { ...injector, transport: undisturbed.transport }
        : { ...undisturbed, transport: injector.transport },
    );
    const moments = [...injector.moments];
    if (outcome !== INTERRUPTED && outcome.status === 'complete') isComplete.add(id);
    else if (returns === 'at once') await scene.pay(attempt);
    const ticks = await scene.heal(attempt);
    await scene.finish(attempt);
    return { moments, violations: attempt.violations, ticks };
  };
};

/** The worker stops while its cron processes the payment that `prepare` made. */
const cronFlow =
  ({
    prepare,
    tick,
  }: {
    prepare: (attempt: Attempt) => Promise<unknown>;
    tick: (app: TestApp) => Promise<unknown>;
  }): Flow =>
  async (crash, returns) => {
    if (returns === 'later') return null;
    const attempt = await scene.begin();
    await prepare(attempt);
    const injector = createCrashInjector(crash);
    const { app } = await scene.open();
    await injector.inWorker(() => tick(app));
    const moments = [...injector.moments];
    const ticks = await scene.heal(attempt);
    await scene.finish(attempt);
    return { moments, violations: attempt.violations, ticks };
  };

const stopAt = (what: string, when: Moment['when']) =>
  createCrashInjector({ at: { what, when }, kind: 'dies' });
const signOnly = (attempt: Attempt) => scene.pay(attempt, stopAt('sendTransaction', 'before'));
const sendOnly = (attempt: Attempt) => scene.pay(attempt, stopAt('sendTransaction', 'after'));
const wait = async (milliseconds: number) => (await scene.open()).app.advance(milliseconds);
const forget = (signature: string) => control('POST', '/solana/forget', { signature });
const lastSigned = ({ computer }: Attempt) =>
  [...computer.signed].at(-1) ?? (['', new Uint8Array()] as const);

/** Runs the cron's payment jobs. If one fails, the other still runs. */
const runPaymentJobs = async ({ services }: TestApp) => {
  for (const part of [services.reconciliation.reconcile, services.reconciliation.settle]) {
    await part().catch(() => undefined);
  }
};

const flows: readonly [name: string, flow: Flow][] = [
  // These flows come first, while the local chain is short, because a fork replays the whole chain.
  [
    'the cron stops at a payment that a fork removed',
    cronFlow({
      prepare: async (attempt) => {
        await scene.pay(attempt);
        await forget(lastSigned(attempt)[0]);
        await wait(MINUTE_MS);
      },
      tick: runPaymentJobs,
    }),
  ],
  [
    'the cron stops at a payment that landed again after a fork',
    cronFlow({
      prepare: async (attempt) => {
        await scene.pay(attempt);
        const [signature, bytes] = lastSigned(attempt);
        await forget(signature);
        await wait(20_000);
        await runPaymentJobs((await scene.open()).app);
        await land(bytes);
        await wait(2_000);
      },
      tick: runPaymentJobs,
    }),
  ],
  [
    'the cron stops at a broadcast that never lands',
    cronFlow({
      prepare: async (attempt) => {
        await sendOnly(attempt);
        await forget(lastSigned(attempt)[0]);
        await wait(2 * MINUTE_MS);
      },
      tick: runPaymentJobs,
    }),
  ],
  ['the page stops', payFlow({ stops: 'page' })],
  ['the worker stops', payFlow({ stops: 'worker' })],
  ['the page stops while it resumes a signed payment', payFlow({ stops: 'page', prepare: signOnly })],
  [
    'the worker stops while the page resumes a signed payment',
    payFlow({ stops: 'worker', prepare: signOnly }),
  ],
  [
    'the cron stops at an unclaimed payment',
    cronFlow({
      prepare: async (attempt) => {
        await sendOnly(attempt);
        await settle((await scene.open()).app);
      },
      tick: (app) => app.runCron(),
    }),
  ],
  [
    'the cron stops at a finalized payment',
    cronFlow({
      prepare: async (attempt) => {
        await sendOnly(attempt);
        await wait(MINUTE_MS);
      },
      tick: runPaymentJobs,
    }),
  ],
  [
    'the cron stops at a transaction that buys nothing',
    cronFlow({
      prepare: async ({ lost }) => {
        const { app, person } = await scene.open();
        const terms = await openIntent(person, scene.callerId);
        lost.push(
          await land(
            signPayment({
              terms,
              payer: await createFundedWallet(),
              changes: { callerLamports: 1_000_000n },
            }),
          ),
        );
        await app.advance(MINUTE_MS);
      },
      tick: runPaymentJobs,
    }),
  ],
];

it.each(flows)('no payment is lost or made twice when %s', { timeout: TEST_TIMEOUT_MS }, crashEverywhere);
