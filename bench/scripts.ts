import { PRICE_SHARDS } from '#schema/constants.ts';
import type { BenchWorld } from './support/bench-world.ts';
import { runScript } from './support/run-script.ts';
import { spreadOf, type Result } from './results.ts';

/** Benchmarks that are commands of their own. */

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

interface CronJob {
  readonly round: number;
  readonly job: string;
  readonly subrequests: number;
  readonly statements: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
  readonly d1Ms: number;
}

interface CronJobs {
  readonly costs: readonly CronJob[];
  readonly slowdown: number;
  readonly bars: { readonly subrequests: number; readonly d1Ms: number; readonly slowdown: number };
}

/** Runs each job of the cron three times, and API requests meanwhile. */
export async function measureCron({ callers, dataDir }: BenchWorld): Promise<Result[]> {
  const { costs, slowdown, bars } = await runScript<CronJobs>('cron.ts', [String(callers), dataDir]);
  const rounds = [...Map.groupBy(costs, ({ round }) => round).values()];
  const perRound = (value: (job: CronJob) => number) =>
    spreadOf(rounds.map((jobs) => jobs.reduce((sum, job) => sum + value(job), 0)));
  const perJob = (value: (job: CronJob) => number) => spreadOf(costs.map(value));
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
      // The least of all rounds, because the first ones catch up on what is due in a new world. Reading prices
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
