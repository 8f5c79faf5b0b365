import { setTimeout as pause } from 'node:timers/promises';
import { SECOND_MS } from '#schema/constants.ts';
import type { Part } from '../context.ts';
import type { MeasuredJob } from '../product/count-operations.ts';
import { startMeasuredProduct, type MeasuredProduct } from '../product/measured-product.ts';
import { percentile, summarize, type Result } from '../results.ts';
import { userIdOf } from '../environment/build-environment.ts';

const IDLE_MS = 4 * SECOND_MS;
const TINY_IDLE_MS = SECOND_MS;
/** The pause between two concurrent user requests, in ms. */
const STEP_MS = 50;
const MAX_SUBREQUESTS = 1_000;
const MAX_D1_MS = 10 * SECOND_MS;
const MAX_SLOWDOWN = 3;

/**
 * Runs the cron with many callers. Measures the operations of each job, and how much slower other requests get
 * meanwhile. Operations are counted only in runs without other requests, because their queries would count as the
 * jobs'.
 */
export const measureCron: Part = async ({ openEnvironment, options: { rounds, isTiny, callers } }) => {
  const { dataDir } = await openEnvironment();
  const product = await startMeasuredProduct({ dataDir, isCounting: true });
  const idleMs = isTiny ? TINY_IDLE_MS : IDLE_MS;
  try {
    const runs: (readonly MeasuredJob[])[] = [];
    const [idle, busy]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      runs.push(await product.runCron());
      const idleUntil = Date.now() + idleMs;
      idle.push(...(await use({ product, callers, isOver: () => Date.now() > idleUntil })));
      let isDone = false;
      const [, latencies] = await Promise.all([
        product.runCron().finally(() => (isDone = true)),
        use({ product, callers, isOver: () => isDone }),
      ]);
      busy.push(...latencies);
    }
    return describe(runs, { idle, busy });
  } finally {
    await product.close();
  }
};

interface Use {
  readonly product: MeasuredProduct;
  readonly callers: number;
  readonly isOver: () => boolean;
}

/** Requests lists and profiles sequentially. Returns how long each response took, in ms. */
async function use({ product, callers, isOver }: Use): Promise<number[]> {
  const latencies: number[] = [];
  do {
    const id = userIdOf(Math.floor(Math.random() * callers));
    const paths = [
      '/api/callers?limit=20',
      '/api/callers?limit=20&search=first7%20last5',
      '/api/callers?limit=20&maxFee=0.5&sort=winRate',
      '/api/token-calls/ended?limit=20',
      `/api/callers/${id}/statistics`,
      `/api/token-calls/caller/${id}`,
    ];
    const path = paths[latencies.length % paths.length] ?? '/';
    const startedAt = performance.now();
    const response = await fetch(`${product.url}${path}`);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
    latencies.push(performance.now() - startedAt);
    await pause(STEP_MS);
  } while (!isOver());
  return latencies;
}

interface Latencies {
  readonly idle: readonly number[];
  readonly busy: readonly number[];
}

function describe(runs: readonly (readonly MeasuredJob[])[], { idle, busy }: Latencies): Result[] {
  const jobs = [...Map.groupBy(runs.flat(), ({ job }) => job)];
  const perRun = (value: (job: MeasuredJob) => number) =>
    summarize(runs.map((run) => run.reduce((sum, job) => sum + value(job), 0)));
  const failed = runs.flat().filter(({ hasFailed }) => hasFailed);
  const slowdown = summarize([percentile(busy, 0.99) / percentile(idle, 0.99)]);
  return [
    ...jobs.flatMap(([job, found]) => describeJob(job, found)),
    { what: 'all jobs of a minute', value: perRun((job) => job.rowsRead), unit: 'rows read' },
    { what: 'all jobs of a minute', value: perRun((job) => job.rowsWritten), unit: 'rows written' },
    {
      what: `failed jobs ${[...new Set(failed.map(({ job }) => job))].join(', ')}`.trim(),
      value: summarize([failed.length]),
      unit: 'runs',
      goal: '0',
      isMet: failed.length === 0,
    },
    {
      what: 'p99 of other requests while jobs run, compared with idle',
      value: slowdown,
      unit: '×',
      goal: `≤ ${MAX_SLOWDOWN}`,
      isMet: slowdown.max <= MAX_SLOWDOWN,
    },
  ];
}

function describeJob(job: string, runs: readonly MeasuredJob[]): Result[] {
  const of = (value: (run: MeasuredJob) => number) => summarize(runs.map(value));
  const [rows, subrequests, d1Ms] = [
    of(({ rowsRead }) => rowsRead),
    of((run) => run.subrequests),
    of((run) => run.d1Ms),
  ];
  return [
    { what: job, value: rows, unit: 'rows read' },
    {
      what: job,
      value: subrequests,
      unit: 'subrequests',
      goal: `≤ ${MAX_SUBREQUESTS}`,
      isMet: subrequests.max <= MAX_SUBREQUESTS,
    },
    { what: job, value: d1Ms, unit: 'ms in D1', goal: `≤ ${MAX_D1_MS}`, isMet: d1Ms.max <= MAX_D1_MS },
  ];
}
