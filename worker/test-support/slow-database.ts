import type { VirtualClock } from './virtual-clock.ts';

export interface Query {
  readonly sql: string;
  readonly params: readonly unknown[];
}

export interface SlowDatabaseOptions {
  readonly database: D1Database;
  readonly clock: VirtualClock;
  readonly latencyMs: number;
  /** Runs before each statement; if it throws or never ends, nothing is written. */
  readonly before?: (asked: Query) => Promise<void>;
}

export function createSlowDatabase({
  database,
  clock,
  latencyMs,
  before = async () => undefined,
}: SlowDatabaseOptions): D1Database {
  const known = new WeakMap<object, Query & { inner: D1PreparedStatement }>();
  const ask = async <Result>(asked: Query, work: () => Promise<Result>): Promise<Result> => {
    await before(asked);
    const result = await clock.during(work);
    await clock.sleep(latencyMs);
    return result;
  };
  const wrap = (statement: D1PreparedStatement, asked: Query): D1PreparedStatement => {
    const wrapped = {
      bind: (...params: unknown[]) => wrap(statement.bind(...params), { ...asked, params }),
      all: () => ask(asked, () => statement.all()),
      run: () => ask(asked, () => statement.run()),
      raw: () => ask(asked, () => statement.raw()),
    };
    known.set(wrapped, { ...asked, inner: statement });
    return wrapped as unknown as D1PreparedStatement;
  };
  return {
    prepare: (sql: string) => wrap(database.prepare(sql), { sql, params: [] }),
    batch: (statements: D1PreparedStatement[]) => {
      const asked = statements.flatMap((statement) => known.get(statement) ?? []);
      return ask(
        { sql: asked.map(({ sql }) => sql).join(';'), params: asked.flatMap(({ params }) => params) },
        () => database.batch(asked.map(({ inner }) => inner)),
      );
    },
  } as unknown as D1Database;
}
