// Runs in the worker, around the product's build. Counts the operations on D1 and other bindings of each invocation:
// the cron's own invocation, and one for each job. It switches off the rate limits, because a benchmark sends more
// requests than a person. `/bench/invocations` returns and resets the counts.

interface Counts {
  /** Includes the statements of batches. */
  statements: number;
  rowsRead: number;
  rowsWritten: number;
  /** Requests to D1, other bindings and other hosts. */
  subrequests: number;
  /** The time that the worker waited for D1, in ms. */
  d1Ms: number;
}

export interface Invocation extends Counts {
  /** The job; `cron` for the invocation that reads which jobs are due. */
  readonly name: string;
  /** How long the job was due when it began. */
  readonly lagMs: number;
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

interface DueJob {
  readonly job: string;
  readonly since: number;
}

interface JobsObject {
  runJob(due: DueJob): Promise<{ readonly error: string | null }>;
}

type JobsClass = new (context: unknown, env: Env) => JobsObject;

const none = (): Counts => ({
  statements: 0,
  rowsRead: 0,
  rowsWritten: 0,
  subrequests: 0,
  d1Ms: 0,
});

let counts = none();
const invocations: Invocation[] = [];

export function countOperations(product: Product): Product {
  let counted: Env | undefined;
  countFetches();
  return {
    async fetch(request, env, context) {
      // The product caches its services per `env` object, so there must be only one.
      counted ??= countedEnv(env);
      const { pathname } = new URL(request.url);
      if (pathname === '/bench/invocations') return Response.json(invocations.splice(0));
      return product.fetch(request, counted, context);
    },
    async scheduled(controller, env, context) {
      counted ??= countedEnv(env);
      const own = none();
      counts = own;
      await product.scheduled(controller, counted, context);
      invocations.push({ ...own, name: 'cron', lagMs: 0, hasFailed: false });
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

/** The Durable Object that runs the cron's jobs. The cron waits for each job, so it counts nothing meanwhile. */
export function countJobs(Jobs: JobsClass): JobsClass {
  return class extends Jobs {
    constructor(context: unknown, env: Env) {
      super(context, countedEnv(env));
    }

    override async runJob(due: DueJob) {
      const outer = counts;
      const own = none();
      counts = own;
      const lagMs = Date.now() - due.since;
      const outcome = await super.runJob(due).finally(() => {
        counts = outer;
      });
      invocations.push({ ...own, name: due.job, lagMs, hasFailed: outcome.error !== null });
      return outcome;
    }
  };
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
  counts.statements += 1;
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
