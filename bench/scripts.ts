import { join } from 'node:path';
import { PRICE_SHARDS } from '#schema/constants.ts';
import { startLocalProduct } from '#dev/local-product.ts';
import { root } from '#dev/settings.ts';
import type { BenchWorld } from './support/bench-world.ts';
import type { MeasuredJob } from './support/measured-job.ts';
import { runScript } from './support/run-script.ts';
import { spreadOf, type Result } from './results.ts';

/** Benchmarks that are commands of their own. */

/** Ports of the first paint's local world. The chain needs the next port, too. */
const PAINT_PORTS = { port: 19787, solanaPort: 19788, standInsPort: 19790 };

interface FirstLoad {
  readonly ratio: number;
  readonly maxRatio: number;
  readonly brotli: number;
  readonly floorBrotli: number;
  readonly files: number;
  readonly maxFiles: number;
}

/** Compares the scripts of the first page with the libraries that it can't do without. */
export async function measureFirstLoad(): Promise<Result[]> {
  const load = await runScript<FirstLoad>('first-load.ts');
  const floor = `react-dom, router and query: ${load.floorBrotli.toLocaleString('en-US')} bytes`;
  return [
    {
      id: 'first-load.bytes',
      what: `scripts of the first page: ${load.brotli.toLocaleString('en-US')} bytes with brotli`,
      value: spreadOf([load.ratio]),
      unit: '× floor',
      floor,
      goal: `≤ ${load.maxRatio}`,
      isMet: load.ratio <= load.maxRatio,
    },
    {
      id: 'first-load.files',
      what: 'script files of the first page',
      value: spreadOf([load.files]),
      unit: 'files',
      floor: '1',
      goal: `≤ ${load.maxFiles}`,
      isMet: load.files <= load.maxFiles,
    },
  ];
}

interface CronJobs {
  readonly costs: readonly MeasuredJob[];
  readonly slowdown: number;
  readonly bars: { readonly subrequests: number; readonly d1Ms: number; readonly slowdown: number };
}

/** Runs each job of the cron several times, and API requests meanwhile. */
export async function measureCron({ callers }: BenchWorld): Promise<Result[]> {
  const { costs, slowdown, bars } = await runScript<CronJobs>('cron.ts', [String(callers)]);
  const rounds = [...Map.groupBy(costs, ({ round }) => round).values()];
  const perRound = (value: (job: MeasuredJob) => number) =>
    spreadOf(rounds.map((jobs) => jobs.reduce((sum, job) => sum + value(job), 0)));
  const perJob = (value: (job: MeasuredJob) => number) => spreadOf(costs.map(value));
  const [queries, rowsRead, rowsWritten] = [
    perRound(({ statements }) => statements),
    perRound((job) => job.rowsRead),
    perRound((job) => job.rowsWritten),
  ];
  const subrequests = perJob((job) => job.subrequests);
  const d1Ms = perJob((job) => job.d1Ms);
  const none = { floor: '', goal: null, isMet: null };
  return [
    {
      ...none,
      id: 'cron.run',
      what: 'all jobs of one minute',
      value: rowsRead,
      unit: 'rows read',
      // The least of all rounds, because the first ones catch up on the work of a new world. Reading prices
      // costs at most one read per shard.
      work: {
        queries: queries.min,
        rowsRead: rowsRead.min,
        rowsWritten: rowsWritten.min,
        kvReads: PRICE_SHARDS,
      },
    },
    { ...none, id: 'cron.written', what: 'all jobs of one minute', value: rowsWritten, unit: 'rows written' },
    {
      ...none,
      id: 'cron.subrequests',
      what: 'one job',
      value: subrequests,
      unit: 'subrequests',
      goal: `≤ ${bars.subrequests.toLocaleString('en-US')}`,
      isMet: subrequests.max <= bars.subrequests,
    },
    {
      ...none,
      id: 'cron.d1-ms',
      what: 'one job',
      value: d1Ms,
      unit: 'ms in D1',
      goal: `≤ ${bars.d1Ms.toLocaleString('en-US')}`,
      isMet: d1Ms.max <= bars.d1Ms,
    },
    {
      ...none,
      id: 'cron.slowdown',
      what: 'p99 of API requests while jobs run',
      value: spreadOf([slowdown]),
      unit: '× idle',
      floor: 'p99 without jobs',
      goal: `≤ ${bars.slowdown}`,
      isMet: slowdown <= bars.slowdown,
    },
  ];
}

interface PaintFigures {
  readonly largestPaint: number;
  readonly blocking: number;
  readonly shift: number;
}

interface PaintedPage {
  readonly name: string;
  readonly runs: readonly PaintFigures[];
  readonly floors: readonly PaintFigures[];
  readonly scores: readonly number[];
  readonly floorScores: readonly number[];
}

interface FirstPaint {
  readonly pages: readonly PaintedPage[];
  readonly bars: {
    readonly paintRatio: number;
    readonly blockingMs: number;
    readonly scoreDifference: number;
  };
}

/** Opens pages of the local product, with its sample data, on a slow phone. */
export async function measureFirstPaint(): Promise<Result[]> {
  const productUrl = `http://localhost:${PAINT_PORTS.port}`;
  const dataDir = join(root, '.cache/bench/sample');
  const product = await startLocalProduct(
    { ...PAINT_PORTS, dataDir, productUrl },
    { isWatching: false, log: console.log },
  );
  try {
    const { pages, bars } = await runScript<FirstPaint>('first-paint.ts', [productUrl]);
    return pages.flatMap((page) => describePage(page, bars));
  } finally {
    await product.close();
  }
}

function describePage(page: PaintedPage, bars: FirstPaint['bars']): Result[] {
  const of = (figures: readonly PaintFigures[], name: keyof PaintFigures) =>
    spreadOf(figures.map((each) => each[name]));
  const paint = of(page.runs, 'largestPaint');
  const floorPaint = of(page.floors, 'largestPaint').median;
  const blocking = of(page.runs, 'blocking');
  const shift = of(page.runs, 'shift');
  const score = spreadOf(page.scores);
  const floorScore = spreadOf(page.floorScores).median;
  const result = (id: string, rest: Omit<Result, 'id'>): Result => ({
    id: `first-paint.${page.name}.${id}`,
    ...rest,
  });
  return [
    result('largest', {
      what: `${page.name}: largest paint`,
      value: paint,
      unit: 'ms',
      floor: `${Math.round(floorPaint)} ms without scripts`,
      goal: `≤ ${bars.paintRatio} × floor`,
      isMet: paint.median <= bars.paintRatio * floorPaint,
    }),
    result('blocking', {
      what: `${page.name}: blocking time`,
      value: blocking,
      unit: 'ms',
      floor: `${Math.round(of(page.floors, 'blocking').median)} ms without scripts`,
      goal: `≤ ${bars.blockingMs}`,
      isMet: blocking.median <= bars.blockingMs,
    }),
    result('shift', {
      what: `${page.name}: layout shift`,
      value: shift,
      unit: '',
      floor: '0',
      goal: '0',
      isMet: shift.median === 0,
    }),
    result('score', {
      what: `${page.name}: Lighthouse's performance score`,
      value: score,
      unit: 'of 100',
      floor: `${Math.round(floorScore)} without scripts`,
      goal: `≥ floor − ${bars.scoreDifference}`,
      isMet: score.median >= floorScore - bars.scoreDifference,
    }),
  ];
}
