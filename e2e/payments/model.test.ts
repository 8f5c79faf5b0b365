import fc from 'fast-check';
import { it } from 'vitest';
import { testEnv } from '#worker/test-support/test-app.ts';
import { steps as histories } from './model/arbitraries.ts';
import { endHistory } from './model/end.ts';
import { beginHistory } from './model/history.ts';
import { playHistory, readMoment } from './model/steps.ts';
import { watchFetch } from './support/awaits.ts';

const MAX_STEPS = 50;
it('every payment that lands becomes exactly one period for the person who paid, whatever crashes, and nothing else ever does', { timeout: 0 }, async () => {
  const unwatch = watchFetch();
  let count = 0;
  const t = performance.now();
  const out = console.info;
  let stepsDone = 0;
  let fresh = 0;
  const options = JSON.parse((testEnv as any).TEST_PAYMENTS_MODEL);
  try {
    await fc.assert(
      fc.asyncProperty(histories(MAX_STEPS), fc.scheduler(), async (commands, scheduler) => {
        const t0 = performance.now();
        const history = await beginHistory();
        const play = { history, scheduler, moment: await readMoment(history), wanted: undefined, steps: 0 };
        fresh += performance.now() - t0;
        await playHistory({ play, steps: commands, end: endHistory });
        count++; stepsDone += play.steps;
      }),
      { numRuns: 20, endOnFailure: true, seed: 42, ...options },
    );
  } finally {
    unwatch();
    out(`${count} histories ${stepsDone} steps ${(performance.now() - t).toFixed(0)} ms begin ${(fresh/count).toFixed(0)}`);
  }
});
