// The worker that `bench/cron.ts` runs: the product, and a route that runs one job of the cron and measures it.
import { createApp } from '../app/app.ts';
import type { Bindings } from '../app/env.ts';
import { createServices } from '../app/services.ts';
import { listJobs } from '../jobs/every-minute.cron.ts';
import { describeError } from '../shared/describe-error.ts';
import type { JobCost } from './job-cost.ts';

export { MessageSender } from '../jobs/message-sender.ts';
export { CronWatch } from '../jobs/cron-watch.ts';
export { Rebroadcaster } from '../jobs/rebroadcaster.ts';

const PATH = '/api/bench/jobs';

interface Statement {
  readonly sql: string;
  readonly rowsRead: number;
  readonly rowsWritten: number;
}

function createMeter() {
  const statements: Statement[] = [];
  let subrequests = 0;
  let d1Ms = 0;
  const inner = new WeakMap<object, { sql: string; statement: D1PreparedStatement }>();

  const add = (sql: string, { meta }: D1Result) => {
    statements.push({ sql, rowsRead: meta.rows_read, rowsWritten: meta.rows_written });
  };
  const wait = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    subrequests++;
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      d1Ms += performance.now() - startedAt;
      // D1 is behind a network. Without this pause, the local runtime reads no other request until the job is done.
      await scheduler.wait(1);
    }
  };
  const wrap = (sql: string, statement: D1PreparedStatement): D1PreparedStatement => {
    const all = async () => {
      const result = await wait(() => statement.all());
      add(sql, result);
      return result;
    };
    const wrapped = {
      bind: (...values: unknown[]) => wrap(sql, statement.bind(...values)),
      all,
      run: all,
      async raw() {
        // `raw()` returns no figures. Only reads can run twice.
        const { results } = await all();
        return /^\s*(select|with)\b/i.test(sql)
          ? statement.raw()
          : (results as object[]).map((row) => Object.values(row));
      },
    };
    inner.set(wrapped, { sql, statement });
    return wrapped as unknown as D1PreparedStatement;
  };

  return {
    database: (database: D1Database): D1Database =>
      ({
        prepare: (sql: string) => wrap(sql, database.prepare(sql)),
        async batch<Result>(wrapped: D1PreparedStatement[]) {
          const known = wrapped.flatMap((statement) => inner.get(statement) ?? []);
          const results = await wait(() => database.batch<Result>(known.map(({ statement }) => statement)));
          results.forEach((result, index) => add(known[index]?.sql ?? '', result));
          return results;
        },
      }) as unknown as D1Database,

    /** Counts the calls of all methods. */
    binding<Binding extends object>(binding: Binding): Binding {
      return new Proxy(binding, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name);
          if (typeof value !== 'function') return value;
          return (...args: unknown[]): unknown => {
            subrequests++;
            return Reflect.apply(value, target, args);
          };
        },
      });
    },

    countFetch: () => {
      subrequests++;
    },

    result() {
      const sum = (name: 'rowsRead' | 'rowsWritten') =>
        statements.reduce((total, statement) => total + statement[name], 0);
      const [largest] = statements.toSorted(
        (a, b) => b.rowsRead + b.rowsWritten - a.rowsRead - a.rowsWritten,
      );
      return {
        subrequests,
        statements: statements.length,
        rowsRead: sum('rowsRead'),
        rowsWritten: sum('rowsWritten'),
        d1Ms,
        largest:
          largest === undefined
            ? ''
            : `${largest.rowsRead} read, ${largest.rowsWritten} written: ${largest.sql.replace(/\s+/g, ' ').trim()}`,
      };
    },
  };
}

type Meter = ReturnType<typeof createMeter>;
let running: Meter | null = null;
const originalFetch = globalThis.fetch;
globalThis.fetch = (...args) => {
  running?.countFetch();
  return originalFetch(...args);
};

async function measureJob(env: Bindings, job: string): Promise<JobCost> {
  const meter = createMeter();
  const services = createServices({
    ...env,
    DB: meter.database(env.DB),
    PRICES: meter.binding(env.PRICES),
    BACKUPS: meter.binding(env.BACKUPS),
    SENDER: meter.binding(env.SENDER),
    REBROADCASTER: meter.binding(env.REBROADCASTER),
    LIVE: meter.binding(env.LIVE),
    PUSH_SENDER: meter.binding(env.PUSH_SENDER),
  });
  running = meter;
  const startedAt = performance.now();
  const outcome = await (listJobs(services)[job]?.() ?? Promise.reject(new Error('No such job'))).then(
    (result) => JSON.stringify(result ?? null),
    describeError,
  );
  running = null;
  return { job, ...meter.result(), ms: performance.now() - startedAt, outcome };
}

const app = createApp();

const benchWorker: ExportedHandler<Bindings> = {
  async fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith(PATH)) return app.fetch(request, env, context);
    const job = pathname.slice(PATH.length + 1);
    return job === ''
      ? Response.json(Object.keys(listJobs(createServices(env))))
      : Response.json(await measureJob(env, job));
  },
};

// oxlint-disable-next-line import/no-default-export -- the runtime requires it
export default benchWorker;
