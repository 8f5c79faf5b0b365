import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

type Rows = Record<string, unknown>[];

interface Statement {
  bind(...values: readonly unknown[]): Statement;
  all(): Promise<{ success: true; results: Rows; meta: object }>;
  run(): Promise<{ success: true; results: Rows; meta: object }>;
  raw(): Promise<unknown[][]>;
  first(column?: string): Promise<unknown>;
  /** Runs the statement within a batch. */
  read(): Rows;
}

/**
 * Opens a file of the local D1 without workerd, so that a statement takes microseconds instead of a request. Nothing
 * else may use the file meanwhile, and everything is lost unless it's closed: all of it is one transaction.
 */
export function openLocalD1(file: string) {
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: true });
  db.exec('BEGIN IMMEDIATE');
  const prepared = new Map<string, StatementSync>();
  const prepare = (query: string, isRaw: boolean): StatementSync => {
    const key = `${isRaw ? 'raw' : 'rows'} ${query}`;
    const statement = prepared.get(key) ?? db.prepare(query);
    statement.setReturnArrays(isRaw);
    prepared.set(key, statement);
    return statement;
  };

  const createStatement = (query: string, values: readonly SQLInputValue[] = []): Statement => {
    const read = (): Rows => prepare(query, false).all(...values);
    const response = () =>
      Promise.resolve().then(() => ({ success: true as const, results: read(), meta: {} }));
    return {
      bind: (...bound) => createStatement(query, bound.map(toInput)),
      all: response,
      run: response,
      raw: () => Promise.resolve().then(() => prepare(query, true).all(...values) as unknown as unknown[][]),
      first: (column) =>
        Promise.resolve().then(() => {
          const [row] = read();
          return (column === undefined ? row : row?.[column]) ?? null;
        }),
      read,
    };
  };

  return {
    prepare: (query: string) => createStatement(query),

    /** All or nothing, as D1's `batch`. */
    batch: (statements: readonly Statement[]) =>
      Promise.resolve().then(() => {
        db.exec('SAVEPOINT batch');
        try {
          const results = statements.map((statement) => ({
            success: true as const,
            results: statement.read(),
            meta: {},
          }));
          db.exec('RELEASE batch');
          return results;
        } catch (error) {
          db.exec('ROLLBACK TO batch; RELEASE batch');
          throw error;
        }
      }),

    close(): void {
      db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
      db.close();
    },
  };
}

/** D1 stores a boolean as 0 or 1. */
function toInput(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return value as SQLInputValue;
}
