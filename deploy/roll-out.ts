import type { Build } from './build.ts';
import { StepFailure } from './failure.ts';
import { smokeTest } from './smoke-test.ts';
import { divideTraffic } from './versions.ts';
import { watchErrors } from './watch-errors.ts';
import type { Wrangler } from './wrangler.ts';

export interface RollOut {
  readonly wrangler: Wrangler;
  readonly worker: string;
  readonly origin: string;
  readonly build: Build;
  /** The version that answers the requests now. */
  readonly running: string;
  readonly uploaded: string;
  readonly watchMs: number;
  readonly log: (line: string) => void;
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** The share of requests that the new version gets while it's watched. */
export const FIRST_PERCENT = 10;
/** A new division of the traffic takes some seconds to reach all of Cloudflare's locations. */
const ATTEMPTS = 12;
const ATTEMPT_MS = 5_000;

/**
 * Gives the uploaded version no requests but our own, then a tenth, then all of them, and tests it at each step. If a
 * step fails, the version that ran before answers everything again. @throws StepFailure
 */
export async function rollOut(options: RollOut): Promise<void> {
  const { wrangler, worker, running, uploaded, log } = options;
  const give = (percent: number) =>
    divideTraffic(wrangler, {
      worker,
      traffic:
        percent === 100
          ? [{ version: uploaded, percent }]
          : [
              { version: uploaded, percent },
              { version: running, percent: 100 - percent },
            ],
    });
  try {
    await give(0);
    await expectToWork(options);
    log('smoke test: the new version works. It gets no visitors yet.');
    await give(FIRST_PERCENT);
    await expectToWork(options);
    log(`roll-out: ${FIRST_PERCENT}% of the requests. ${await expectFewErrors(options)}`);
    await give(100);
    await expectToWork(options);
    log('roll-out: all requests. The smoke test passes.');
  } catch (error) {
    await takeBack(options, error);
    throw error;
  }
}

async function takeBack({ wrangler, worker, running, log }: RollOut, cause: unknown): Promise<void> {
  try {
    await divideTraffic(wrangler, { worker, traffic: [{ version: running, percent: 100 }] });
    log(`roll-out: taken back. Version ${running} answers all requests again.`);
  } catch (error) {
    const why = [cause, error]
      .map((each) => (each instanceof Error ? each.message : String(each)))
      .join('\n');
    throw new StepFailure(
      `The roll-out failed and could not be taken back: ${why}`,
      `Run "npx wrangler rollback ${running} --name ${worker}" now.`,
      { cause },
    );
  }
}

/** @throws StepFailure with the problems that remain after a minute */
export async function expectToWork({
  worker,
  uploaded,
  origin,
  build,
  fetch,
  sleep,
}: Pick<RollOut, 'worker' | 'uploaded' | 'origin' | 'build' | 'fetch' | 'sleep'>): Promise<void> {
  const version = { worker, id: uploaded };
  let problems: readonly string[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await sleep(ATTEMPT_MS);
    problems = await smokeTest({ origin, version, build, fetch });
    if (problems.length === 0) return;
  }
  throw new StepFailure(
    `The smoke test of ${origin} fails:\n  ${problems.join('\n  ')}`,
    `Read the version's log in Cloudflare's dashboard, or with "npx wrangler tail ${worker} --version-id ${uploaded}".`,
  );
}

async function expectFewErrors({ wrangler, worker, uploaded, watchMs }: RollOut): Promise<string> {
  const { requests, errors } = await watchErrors(wrangler, {
    worker,
    version: uploaded,
    milliseconds: watchMs,
  });
  if (errors > 0) {
    throw new StepFailure(
      `${errors} of ${requests} requests to the new version failed.`,
      'Look for the errors in the log of Cloudflare’s dashboard, filtered by this version.',
    );
  }
  return `${requests} requests in ${Math.round(watchMs / 1000)} s, none failed.`;
}
