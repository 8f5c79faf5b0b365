import { asDatabase } from './as-database.ts';

export interface CountedRows {
  /** The statement, with its whitespace collapsed. */
  readonly sql: string;
  readonly rows: number;
  readonly written: number;
}

/** A database that reports how many rows each statement read and wrote. Statements that fail aren't reported. */
export function countRows(
  database: Pick<D1Database, 'prepare' | 'batch'>,
  report: (counted: CountedRows) => void,
): D1Database {
  const known = new WeakMap<object, { sql: string; inner: D1PreparedStatement }>();
  const reportResult = <Result>(sql: string, result: D1Result<Result>): D1Result<Result> => {
    const { rows_read: rows, rows_written: written } = result.meta;
    report({ sql: sql.replace(/\s+/g, ' ').trim(), rows, written });
    return result;
  };
  const wrap = (sql: string, inner: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = {
      bind: (...params: unknown[]) => wrap(sql, inner.bind(...params)),
      all: async () => reportResult(sql, await inner.all()),
      run: async () => reportResult(sql, await inner.run()),
      async raw() {
        // `raw()` doesn't return the number of rows read, so a SELECT runs twice.
        if (!/^\s*(select|with)\b/i.test(sql)) {
          const { results } = reportResult(sql, await inner.all());
          return results.map((row) => Object.values(row));
        }
        reportResult(sql, await inner.all());
        return inner.raw();
      },
    };
    known.set(wrapped, { sql, inner });
    return wrapped as unknown as D1PreparedStatement;
  };
  return asDatabase({
    prepare: (sql: string) => wrap(sql, database.prepare(sql)),
    async batch<Result>(statements: D1PreparedStatement[]) {
      const batch = statements.flatMap((statement) => known.get(statement) ?? []);
      const results = await database.batch<Result>(batch.map(({ inner }) => inner));
      return results.map((result, index) => reportResult(batch[index]?.sql ?? '', result));
    },
  });
}
