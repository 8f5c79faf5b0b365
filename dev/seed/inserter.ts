import { getTableColumns, getTableName, type SQL } from 'drizzle-orm';
import type { AnyD1Database } from 'drizzle-orm/d1';
import { SQLiteSyncDialect, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';

export type LocalD1 = AnyD1Database;

/** Keeps a statement's JSON well within D1's limit of 2 MB for a parameter. */
const ROWS_PER_STATEMENT = 2_000;

/**
 * Inserts many rows with few statements, by passing the rows as JSON. Outside of workerd, each statement
 * and each `bind` is a blocking request.
 */
export function createInserter(d1: LocalD1) {
  return async <Table extends SQLiteTable>(
    table: Table,
    rows: readonly Table['$inferInsert'][],
  ): Promise<void> => {
    const columns = (Object.entries(getTableColumns(table)) as [string, SQLiteColumn][]).filter(
      ([, { generated }]) => generated === undefined,
    );
    const names = columns.map(([, { name }]) => `"${name}"`).join(', ');
    const values = columns.map((_, index) => `value ->> ${index}`).join(', ');
    const insert = `INSERT INTO "${getTableName(table)}" (${names}) SELECT ${values} FROM json_each(?)`;
    for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
      const listed = rows
        .slice(start, start + ROWS_PER_STATEMENT)
        .map((row) =>
          columns.map(([key, column]) => driverValue(column, (row as Record<string, unknown>)[key])),
        );
      await d1.prepare(insert).bind(JSON.stringify(listed)).run();
    }
  };
}

export type Insert = ReturnType<typeof createInserter>;

const dialect = new SQLiteSyncDialect();

export function createRunner(d1: LocalD1) {
  return async (statement: SQL): Promise<void> => {
    const { sql, params } = dialect.sqlToQuery(statement);
    await d1
      .prepare(sql)
      .bind(...params)
      .run();
  };
}

export type RunSql = ReturnType<typeof createRunner>;

/** Returns the value as the database stores it. A missing value becomes the column's default. */
function driverValue(column: SQLiteColumn, value: unknown): unknown {
  const present = value === undefined ? (column.default ?? column.defaultFn?.() ?? null) : value;
  return present === null ? null : column.mapToDriverValue(present);
}
