import { addDerivedRows, writesFacts } from '../derived-rows.ts';
import { testEnv } from '../test-app.ts';

type Row = Record<string, unknown>;

/** Excludes the search index, which is a virtual table with shadow tables. */
const TABLES = `SELECT name FROM pragma_table_list
  WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'
  ORDER BY name`;

/**
 * Reads all rows by table, without the search index. Two calls return equal results if no row was written in between.
 */
export async function readDatabase(): Promise<Record<string, Row[]>> {
  const { results } = await testEnv.DB.prepare(TABLES).all<{ name: string }>();
  const tables = results.map(({ name }) => name);
  const columns = tables.map((name) => `EXISTS (SELECT 1 FROM "${name}") AS "${name}"`);
  const isFilled = await testEnv.DB.prepare(`SELECT ${columns.join()}`).first<Record<string, 0 | 1>>();
  const filled = tables.filter((name) => isFilled?.[name] === 1);
  if (filled.length === 0) return Object.fromEntries(tables.map((name) => [name, []]));
  const contents = await testEnv.DB.batch<Row>(
    filled.map((name) => testEnv.DB.prepare(`SELECT * FROM "${name}" ORDER BY 1, 2`)),
  );
  const rows = new Map(filled.map((name, index) => [name, contents[index]?.results ?? []]));
  return Object.fromEntries(tables.map((name) => [name, rows.get(name) ?? []]));
}

/** Runs one statement and returns its rows. If it writes calls or users, also updates the rows derived from them. */
export async function query<Result = Row>(sql: string, ...values: unknown[]): Promise<Result[]> {
  const { results } = await testEnv.DB.prepare(sql)
    .bind(...values)
    .all<Result>();
  if (writesFacts(sql)) await addDerivedRows();
  return results;
}
