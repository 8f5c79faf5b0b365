import { afterEach, beforeEach, inject, it } from 'vitest';
import { playHistories } from './model/play.ts';
import { REPORT, type Report, type RunOptions, type Counts } from './commands/run-options.ts';
import { stopTimers, watchFetch } from './support/awaits.ts';

/** `npm run test:deep` plays 500. */
const HISTORIES = 4;
const SEED = 20_260_601;
const HISTORIES_PER_SEED = 25;

let endings: (() => void)[];
beforeEach(() => {
  endings = [watchFetch(), stopTimers()];
});
afterEach(() => endings.forEach((end) => end()));

const report = (line: Report) => console.info(REPORT + JSON.stringify(line));

it(
  'in random histories with crashes, only landed payments open paid periods, and a payment opens exactly one period',
  { timeout: 0 },
  async () => {
    const {
      histories = HISTORIES,
      seed: firstSeed = SEED,
      path,
      shrink = false,
    } = inject('paymentsModel') as RunOptions;
    const counts: Counts = {};
    for (let seed = firstSeed, left = histories; left > 0; seed++, left -= HISTORIES_PER_SEED) {
      try {
        await playHistories(counts, {
          seed,
          numRuns: Math.min(left, HISTORIES_PER_SEED),
          endOnFailure: !shrink,
          ...(path === undefined ? {} : { path }),
        });
      } catch (error) {
        const [violation = '', ...trace] = String(
          error instanceof Error ? (error.cause ?? error) : error,
        ).split('\n');
        report({ violation, trace: trace.join('\n'), seed, afterHistories: counts['histories'] ?? 0 });
        throw error;
      }
      report({ counts });
    }
  },
);

declare module 'vitest' {
  interface ProvidedContext {
    paymentsModel: object;
  }
}
