import type { VirtualClock } from './virtual-clock.ts';

export interface Query {
  readonly sql: string;
  readonly params: readonly unknown[];
}

export interface SlowDatabaseOptions {
  readonly database: D1Database;
  readonly clock: VirtualClock;
  readonly latencyMs: number;
  /** Runs before each statement. If it throws or never ends, nothing is written. */
  readonly before?: (query: Query) => Promise<void>;
}

export function createSlowDatabase({
  database,
  clock,
  latencyMs,
  before = async () => undefined,
}: SlowDatabaseOptions): D1Database {
  const known = new WeakMap<object, Query & { inner: D1PreparedStatement }>();
  const runSlowly = async <Result>(query: Query, work: () => Promise<Result>): Promise<Result> => {
    await before(query);
    const result = await clock.during(work);
    await clock.sleep(latencyMs);
    return result;
  };
  const wrap = (statement: D1PreparedStatement, query: Query): D1PreparedStatement => {
    const wrapped = {
      bind: (...params: unknown[]) => wrap(statement.bind(...params), { ...query, params }),
      all: () => runSlowly(query, () => statement.all()),
      run: () => runSlowly(query, () => statement.run()),
      raw: () => runSlowly(query, () => statement.raw()),
    };
    known.set(wrapped, { ...query, inner: statement });
    return wrapped as unknown as D1PreparedStatement;
  };
  return {
    prepare: (sql: string) => wrap(database.prepare(sql), { sql, params: [] }),
    batch: (statements: D1PreparedStatement[]) => {
      const queries = statements.flatMap((statement) => known.get(statement) ?? []);
      return runSlowly(
        { sql: queries.map(({ sql }) => sql).join(';'), params: queries.flatMap(({ params }) => params) },
        () => database.batch(queries.map(({ inner }) => inner)),
      );
    },
  } as unknown as D1Database;
}
