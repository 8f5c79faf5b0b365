import { setTimeout as pause } from 'node:timers/promises';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { Part } from '../context.ts';
import type { Invocation } from '../product/count-operations.ts';
import { startMeasuredProduct, type MeasuredProduct } from '../product/measured-product.ts';
import { percentile, summarize, type Result } from '../results.ts';
import { nameOf, userIdOf } from '../environment/build-environment.ts';

const IDLE_MS = 4 * SECOND_MS;
const TINY_IDLE_MS = SECOND_MS;
/** The pause between two concurrent user requests, in ms. */
const STEP_MS = 50;
/** D1 allows 1,000 queries per invocation. */
const MAX_STATEMENTS = 900;
const MAX_ROWS_WRITTEN = 50_000;
const MAX_SUBREQUESTS = 1_000;
const MAX_D1_MS = 10 * SECOND_MS;
const MAX_SLOWDOWN = 3;

/**
 * Runs the cron with many callers. Measures the operations of each invocation, and how much slower other requests get
 * meanwhile. Operations are counted only in runs without other requests, because the queries of these requests would
 * count as the jobs'.
 */
export const measureCron: Part = async ({ openEnvironment, options: { rounds, isTiny, callers } }) => {
  const { dataDir } = await openEnvironment();
  const product = await startMeasuredProduct({ dataDir, isCounting: true });
  const idleMs = isTiny ? TINY_IDLE_MS : IDLE_MS;
  try {
    const runs: (readonly Invocation[])[] = [];
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
      `/api/callers?limit=20&search=${nameOf(7)}`,
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

function describe(runs: readonly (readonly Invocation[])[], { idle, busy }: Latencies): Result[] {
  const invocations = [...Map.groupBy(runs.flat(), ({ name }) => name)];
  const perRun = (value: (invocation: Invocation) => number) =>
    summarize(runs.map((run) => run.reduce((sum, each) => sum + value(each), 0)));
  const written = perRun(({ rowsWritten }) => rowsWritten);
  const failed = runs.flat().filter(({ hasFailed }) => hasFailed);
  const slowdown = summarize([percentile(busy, 0.99) / percentile(idle, 0.99)]);
  return [
    ...invocations.flatMap(([name, found]) => describeInvocation(name, found)),
    {
      what: 'all invocations of a minute',
      value: perRun(({ statements }) => statements),
      unit: 'statements',
    },
    { what: 'all invocations of a minute', value: perRun(({ rowsRead }) => rowsRead), unit: 'rows read' },
    {
      what: 'all invocations of a minute',
      value: written,
      unit: 'rows written',
      goal: `≤ ${MAX_ROWS_WRITTEN}`,
      isMet: written.max <= MAX_ROWS_WRITTEN,
    },
    {
      what: `failed jobs ${[...new Set(failed.map(({ name }) => name))].join(', ')}`.trim(),
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

function describeInvocation(what: string, runs: readonly Invocation[]): Result[] {
  const limited = (unit: string, max: number, of: (run: Invocation) => number): Result => {
    const value = summarize(runs.map(of));
    return { what, value, unit, goal: `≤ ${max}`, isMet: value.max <= max };
  };
  return [
    limited('statements', MAX_STATEMENTS, ({ statements }) => statements),
    { what, value: summarize(runs.map(({ rowsRead }) => rowsRead)), unit: 'rows read' },
    limited('subrequests', MAX_SUBREQUESTS, ({ subrequests }) => subrequests),
    limited('ms in D1', MAX_D1_MS, ({ d1Ms }) => d1Ms),
    { what, value: summarize(runs.map(({ lagMs }) => lagMs / SECOND_MS)), unit: 's of lag' },
  ];
}
