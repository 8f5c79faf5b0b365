// Runs in the worker, around the product's build: counts what jobs of the cron do with D1 and other bindings. It
// switches off the rate limits, because a benchmark sends more requests than a person. `/bench/jobs` returns and resets
// the counts of the jobs.

interface Counts {
  rowsRead: number;
  rowsWritten: number;
  /** Requests to D1, other bindings and other hosts. */
  subrequests: number;
  /** The time that the worker waited for D1, in ms. */
  d1Ms: number;
}

export interface MeasuredJob extends Counts {
  readonly job: string;
  readonly ms: number;
  readonly hasFailed: boolean;
}

interface Result {
  readonly results: readonly Record<string, unknown>[];
  readonly meta: { readonly rows_read: number; readonly rows_written: number };
}

interface Statement {
  bind(...values: unknown[]): Statement;
  all(): Promise<Result>;
  run(): Promise<Result>;
  raw(): Promise<unknown>;
}

interface Session {
  prepare(sql: string): Statement;
  batch(statements: Statement[]): Promise<Result[]>;
}

interface Database extends Session {
  withSession(constraint: unknown): Session;
}

interface Env extends Record<string, unknown> {
  readonly DB: Database;
}

export interface Product {
  fetch(request: Request, env: Env, context: unknown): Promise<Response>;
  scheduled(controller: unknown, env: Env, context: unknown): Promise<unknown>;
}

const none = (): Counts => ({
  rowsRead: 0,
  rowsWritten: 0,
  subrequests: 0,
  d1Ms: 0,
});

let counts = none();
let jobs: MeasuredJob[] = [];

export function countOperations(product: Product): Product {
  let counted: Env | undefined;
  countFetches();
  recordJobs();
  return {
    async fetch(request, env, context) {
      // The product caches its services per `env` object, so there must be only one.
      counted ??= countedEnv(env);
      const { pathname } = new URL(request.url);
      if (pathname === '/bench/jobs') return Response.json(jobs.splice(0));
      return product.fetch(request, counted, context);
    },
    scheduled(controller, env, context) {
      counted ??= countedEnv(env);
      counts = none();
      return product.scheduled(controller, counted, context);
    },
  };
}

function countFetches(): void {
  const { fetch } = globalThis;
  globalThis.fetch = (...args) => {
    counts.subrequests += 1;
    return fetch(...args);
  };
}

/** The cron logs a line after each job, so the operations since the previous line belong to this job. */
function recordJobs(): void {
  for (const name of ['log', 'error'] as const) {
    const write = console[name].bind(console);
    console[name] = (...values: unknown[]) => {
      const [, event, job] = /"event":"job\.(done|failed)","job":"([\w.]+)"/.exec(String(values[0])) ?? [];
      if (event === undefined || job === undefined) return write(...values);
      const [, ms] = /"durationMs":(\d+)/.exec(String(values[0])) ?? [];
      jobs.push({ ...counts, job, ms: Number(ms), hasFailed: event === 'failed' });
      counts = none();
      if (event === 'failed') write(...values);
    };
  }
}

function countedEnv(env: Env): Env {
  const bindings = Object.entries(env).map(([name, binding]) => {
    if (name.startsWith('LIMIT_')) return [name, { limit: () => Promise.resolve({ success: true }) }];
    return [name, isBinding(binding) ? countCalls(binding) : binding];
  });
  const DB = {
    ...countQueries(env.DB),
    withSession: (constraint: unknown) => countQueries(env.DB.withSession(constraint)),
  };
  return { ...(Object.fromEntries(bindings) as Env), DB };
}

const isBinding = (binding: unknown): binding is object => typeof binding === 'object' && binding !== null;

function countCalls<Binding extends object>(binding: Binding): Binding {
  return new Proxy(binding, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        counts.subrequests += 1;
        return Reflect.apply(value, target, args);
      };
    },
  });
}

async function wait<Value>(work: () => Promise<Value>): Promise<Value> {
  counts.subrequests += 1;
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    counts.d1Ms += performance.now() - startedAt;
    // D1 is behind a network. Without this pause, the local runtime reads no other request until a job is done.
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function add(result: Result): Result {
  counts.rowsRead += result.meta.rows_read;
  counts.rowsWritten += result.meta.rows_written;
  return result;
}

function countQueries(database: Session): Session {
  const inner = new WeakMap<Statement, Statement>();
  const wrap = (sql: string, statement: Statement): Statement => {
    const wrapped: Statement = {
      bind: (...values) => wrap(sql, statement.bind(...values)),
      all: async () => add(await wait(() => statement.all())),
      run: async () => add(await wait(() => statement.run())),
      async raw() {
        // `raw()` doesn't return counts, so a SELECT runs twice.
        const { results } = add(await wait(() => statement.all()));
        if (!/^\s*(select|with)\b/i.test(sql)) return results.map((row) => Object.values(row));
        return statement.raw();
      },
    };
    inner.set(wrapped, statement);
    return wrapped;
  };
  return {
    prepare: (sql) => wrap(sql, database.prepare(sql)),
    async batch(statements) {
      const results = await wait(() => database.batch(statements.map((each) => inner.get(each) ?? each)));
      return results.map(add);
    },
  };
}
