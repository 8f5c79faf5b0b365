// Runs in the worker, around the product's build: counts what each request does with D1 and KV. It switches off the
// rate limits, because a benchmark sends more requests than a person. `/bench/counts` answers and resets the counts,
// `/bench/sql` runs statements.

export interface Counts {
  queries: number;
  rowsRead: number;
  rowsWritten: number;
  kvReads: number;
  kvWrites: number;
}

export interface StatementCounts {
  readonly rowsRead: number;
  readonly rowsWritten: number;
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

interface Store {
  get(...params: unknown[]): Promise<unknown>;
  put(...params: unknown[]): Promise<unknown>;
}

interface Env extends Record<string, unknown> {
  readonly DB: Database;
  readonly PRICES: Store;
}

export interface Product {
  fetch(request: Request, env: Env, context: unknown): Promise<Response>;
  scheduled(controller: unknown, env: Env, context: unknown): Promise<unknown>;
}

const NONE: Counts = { queries: 0, rowsRead: 0, rowsWritten: 0, kvReads: 0, kvWrites: 0 };
const SETTLED_MS = 4;

export function countOperations(product: Product): Product {
  let counts = { ...NONE };
  let running = 0;
  let counted: Env | undefined;

  const add = (result: Result): Result => {
    counts.queries += 1;
    counts.rowsRead += result.meta.rows_read;
    counts.rowsWritten += result.meta.rows_written;
    return result;
  };
  const track = async <Value>(work: Promise<Value>): Promise<Value> => {
    running += 1;
    return work.finally(() => (running -= 1));
  };

  const envOf = (env: Env): Env => {
    const unlimited = Object.fromEntries(
      Object.keys(env)
        .filter((name) => name.startsWith('LIMIT_'))
        .map((name) => [name, { limit: () => Promise.resolve({ success: true }) }]),
    );
    return {
      ...env,
      ...unlimited,
      DB: {
        ...countQueries(env.DB, { add, track }),
        withSession: (constraint: unknown) => countQueries(env.DB.withSession(constraint), { add, track }),
      },
      PRICES: {
        get: (...params) => ((counts.kvReads += 1), track(env.PRICES.get(...params))),
        put: (...params) => ((counts.kvWrites += 1), track(env.PRICES.put(...params))),
      },
    };
  };

  /** Waits for work that goes on after the response. */
  const readCounts = async (): Promise<Counts> => {
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
    if (running > 0) return readCounts();
    const read = counts;
    counts = { ...NONE };
    return read;
  };

  return {
    async fetch(request, env, context) {
      // The product keeps its services for each environment object, so there must be only one.
      counted ??= envOf(env);
      const { pathname } = new URL(request.url);
      if (pathname === '/bench/counts') return Response.json(await readCounts());
      if (pathname === '/bench/sql') {
        return Response.json(await runSql(env.DB, (await request.json()) as string[]));
      }
      return product.fetch(request, counted, context);
    },
    scheduled(controller, env, context) {
      counted ??= envOf(env);
      return product.scheduled(controller, counted, context);
    },
  };
}

interface Meter {
  add(result: Result): Result;
  track<Value>(work: Promise<Value>): Promise<Value>;
}

function countQueries(database: Session, { add, track }: Meter): Session {
  const inner = new WeakMap<Statement, Statement>();
  const wrap = (sql: string, statement: Statement): Statement => {
    const wrapped: Statement = {
      bind: (...values) => wrap(sql, statement.bind(...values)),
      all: async () => add(await track(statement.all())),
      run: async () => add(await track(statement.run())),
      async raw() {
        // `raw()` doesn't return counts, so a SELECT runs twice.
        const { results } = add(await track(statement.all()));
        if (!/^\s*(select|with)\b/i.test(sql)) return results.map((row) => Object.values(row));
        return track(statement.raw());
      },
    };
    inner.set(wrapped, statement);
    return wrapped;
  };
  return {
    prepare: (sql) => wrap(sql, database.prepare(sql)),
    async batch(statements) {
      const results = await track(database.batch(statements.map((each) => inner.get(each) ?? each)));
      return results.map(add);
    },
  };
}

async function runSql(database: Database, statements: readonly string[]): Promise<StatementCounts[]> {
  const results = await database.batch(statements.map((sql) => database.prepare(sql)));
  return results.map(({ meta }) => ({ rowsRead: meta.rows_read, rowsWritten: meta.rows_written }));
}
