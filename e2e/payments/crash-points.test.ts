import { afterEach, beforeEach, expect, inject, it, vi } from 'vitest';
import { watchFetch } from './support/awaits.ts';
import {
  createCrashInjector,
  CRASH_KINDS,
  INTERRUPTED,
  type Crash,
  type CrashKind,
  type Snapshot,
} from './support/crash.ts';
import { createScene, type Attempt, type Scene } from './support/scene.ts';
import { connectPages } from './support/tab.ts';

// In these tests, the page or the worker stops at some point of a payment. After three cron runs, each landed
// payment must have bought exactly one period. A user without a period must be able to pay. The model stops the cron.

const TEST_TIMEOUT_MS = 600_000;
/**
 * The number of crashes that `npm test` tries per flow. They are spread evenly over the flow's times. `npm
 * run test:deep` tries all crashes.
 */
const CRASHES_SAMPLED = 3;

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
  vi.restoreAllMocks();
});

interface FlowResult {
  readonly timestamps: readonly Snapshot[];
  readonly violations: readonly string[];
}

/** Runs a flow, with or without a crash. Returns null for a 'later' run that would equal the 'at once' run. */
type Flow = (crash?: Crash, returns?: 'at once' | 'later') => Promise<FlowResult | null>;

/**
 * Returns every kind of crash at every time of a flow. Outside of deep tests, returns only an even sample of
 * them.
 */
function chooseCrashes(timestamps: number): { at: number; kind: CrashKind }[] {
  const all = CRASH_KINDS.flatMap((kind) => Array.from({ length: timestamps }, (_, at) => ({ at, kind })));
  if (inject('isDeep')) return all;
  const stride = Math.max(1, all.length / CRASHES_SAMPLED);
  return all.filter((_, index) => Math.floor(index / stride) !== Math.floor((index - 1) / stride));
}

/** Runs a flow once without a crash, and then with crashes at its times. */
async function crashEverywhere(_name: string, flow: Flow): Promise<void> {
  const undisturbed = await flow();
  if (undisturbed === null) throw new Error('A flow without a crash must return its await points');
  expect(undisturbed.violations).toEqual([]);
  const found: string[] = [];
  for (const { at, kind } of chooseCrashes(undisturbed.timestamps.length)) {
    const { what, when } = undisturbed.timestamps[at] as Snapshot;
    for (const returns of ['at once', 'later'] as const) {
      const ran = await flow({ at, kind }, returns);
      if (ran === null) continue;
      found.push(
        ...ran.violations.map(
          (violation) => `${kind} ${when} ${what} (${at}), user returns ${returns}: ${violation}`,
        ),
      );
    }
  }
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
    const timestamps = [...injector.timestamps];
    if (outcome !== INTERRUPTED && outcome.status === 'complete') isComplete.add(id);
    else if (returns === 'at once') await scene.pay(attempt);
    await scene.repair(attempt);
    await scene.finish(attempt);
    return { timestamps, violations: attempt.violations };
  };
};

const stopAt = (what: string, when: Snapshot['when']) =>
  createCrashInjector({ at: { what, when }, kind: 'dies' });
const signOnly = (attempt: Attempt) => scene.pay(attempt, stopAt('sendTransaction', 'before'));
const flows: readonly [name: string, flow: Flow][] = [
  ['the page stops', payFlow({ stops: 'page' })],
  ['the worker stops', payFlow({ stops: 'worker' })],
  ['the page stops while it resumes a signed payment', payFlow({ stops: 'page', prepare: signOnly })],
  [
    'the worker stops while the page resumes a signed payment',
    payFlow({ stops: 'worker', prepare: signOnly }),
  ],
];

it.each(flows)('no payment is lost or made twice when %s', { timeout: TEST_TIMEOUT_MS }, crashEverywhere);
