import { asDatabase } from './as-database.ts';

export interface Query {
  readonly sql: string;
  readonly params: readonly unknown[];
}

/** A database whose statements and batches run through `around`. A batch counts as one query. */
export function interceptDatabase(
  database: Pick<D1Database, 'prepare' | 'batch'>,
  around: <Result>(query: Query, run: () => Promise<Result>) => Promise<Result>,
): D1Database {
  const known = new WeakMap<object, Query & { inner: D1PreparedStatement }>();
  const wrap = (statement: D1PreparedStatement, query: Query): D1PreparedStatement => {
    const wrapped = {
      bind: (...params: unknown[]) => wrap(statement.bind(...params), { ...query, params }),
      all: () => around(query, () => statement.all()),
      run: () => around(query, () => statement.run()),
      raw: () => around(query, () => statement.raw()),
    };
    known.set(wrapped, { ...query, inner: statement });
    return wrapped as unknown as D1PreparedStatement;
  };
  return asDatabase({
    prepare: (sql: string) => wrap(database.prepare(sql), { sql, params: [] }),
    batch: (statements: D1PreparedStatement[]) => {
      const queries = statements.flatMap((statement) => known.get(statement) ?? []);
      return around(
        { sql: queries.map(({ sql }) => sql).join(';'), params: queries.flatMap(({ params }) => params) },
        () => database.batch(queries.map(({ inner }) => inner)),
      );
    },
  });
}
