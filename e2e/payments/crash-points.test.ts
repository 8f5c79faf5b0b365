import { afterEach, beforeEach, expect, inject, it, vi } from 'vitest';
import { watchFetch } from './support/awaits.ts';
import { chooseCrashes, createCrashInjector, type Crash } from './support/crash.ts';
import { KILLED } from './support/killable.ts';
import { createScene, type Attempt, type Scene } from './support/scene.ts';
import { connectPages } from './support/tab.ts';

// In these tests, the page or the worker stops at some point of a payment. After three cron runs, each landed
// payment must have bought exactly one period. A user without a period must be able to pay.
// model.test.ts also stops the cron.

/** The number of crashes that `npm test` tries per flow. `npm run test:deep` tries all crashes. */
const CRASHES_SAMPLED = inject('isDeep') ? Number.POSITIVE_INFINITY : 2;

const endings: (() => void)[] = [];
let scene: Scene;

beforeEach(async () => {
  for (const method of ['log', 'warn', 'error'] as const) vi.spyOn(console, method).mockReturnValue();
  endings.push(watchFetch(), connectPages());
  scene = await createScene();
});

afterEach(() => {
  for (const end of endings.splice(0).toReversed()) end();
});

interface Flow {
  readonly stops: 'page' | 'worker';
  readonly prepare?: (attempt: Attempt) => Promise<unknown>;
}

/** A crash may interrupt the payment. The user returns at once, or after the next cron run. */
async function payWith({ stops, prepare }: Flow, crash?: Crash, returns: 'at once' | 'later' = 'at once') {
  const attempt = await scene.begin();
  await prepare?.(attempt);
  const [injector, undisturbed] = [createCrashInjector(crash), createCrashInjector()];
  const outcome = await scene.pay(
    attempt,
    stops === 'page'
      ? { ...injector, transport: undisturbed.transport }
      : { ...undisturbed, transport: injector.transport },
  );
  const timestamps = [...injector.timestamps];
  const isComplete = outcome !== KILLED && outcome.status === 'complete';
  if (!isComplete && returns === 'at once') await scene.pay(attempt);
  await scene.repair(attempt);
  await scene.finish(attempt);
  return { timestamps, isComplete, violations: attempt.violations };
}

const signOnly = (attempt: Attempt) =>
  scene.pay(attempt, createCrashInjector({ at: { what: 'sendTransaction', when: 'before' }, kind: 'dies' }));

it.each<[string, Flow]>([
  ['the page stops', { stops: 'page' }],
  ['the worker stops', { stops: 'worker' }],
  ['the page stops while it resumes a signed payment', { stops: 'page', prepare: signOnly }],
  ['the worker stops while the page resumes a signed payment', { stops: 'worker', prepare: signOnly }],
])('no payment is lost or made twice if %s', async (_name, flow) => {
  const { timestamps, violations: undisturbed } = await payWith(flow);
  expect(undisturbed).toEqual([]);
  const found: string[] = [];
  for (const crash of chooseCrashes(timestamps.length, CRASHES_SAMPLED)) {
    const { what, when } = timestamps[crash.at] ?? {};
    for (const returns of ['at once', 'later'] as const) {
      const { isComplete, violations } = await payWith(flow, crash, returns);
      const at = `${crash.kind} ${when} ${what} (${crash.at}), user returns ${returns}`;
      found.push(...violations.map((violation) => `${at}: ${violation}`));
      // The user of a complete payment has no reason to return.
      if (isComplete) break;
    }
  }
  expect(found).toEqual([]);
});
