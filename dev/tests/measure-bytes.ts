import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { z } from 'zod';

const databaseSchema = z.object({
  /** The statements that create the tables and indexes. */
  schema: z.array(z.string()),
  rows: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
});

/**
 * Copies a database and counts the bytes of each table and its indexes with SQLite's `dbstat`, which D1 doesn't have. Leaves
 * out the unused rest of each page, so that few rows give the same figures as many.
 */
export function measureBytes(json: string): Record<string, number> {
  const { schema, rows } = databaseSchema.parse(JSON.parse(json));
  const database = new DatabaseSync(':memory:');
  database.exec('PRAGMA foreign_keys = OFF');
  for (const statement of schema) database.exec(statement);
  for (const [table, all] of Object.entries(rows)) insertRows(database, table, all);
  const measured = database
    .prepare(
      `SELECT m.tbl_name AS name, SUM(s.pgsize - s.unused) AS bytes
       FROM dbstat s JOIN sqlite_master m ON m.name = s.name
       GROUP BY m.tbl_name`,
    )
    .all();
  database.close();
  return Object.fromEntries(measured.map(({ name, bytes }) => [String(name), Number(bytes)]));
}

function insertRows(database: DatabaseSync, table: string, rows: readonly Record<string, unknown>[]): void {
  const names = database
    .prepare('SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0')
    .all(table)
    .map(({ name }) => String(name));
  const insert = database.prepare(
    `INSERT INTO "${table}" (${names.map((name) => `"${name}"`).join()}) VALUES (${names.map(() => '?').join()})`,
  );
  for (const row of rows) insert.run(...names.map((name) => (row[name] ?? null) as SQLInputValue));
}
