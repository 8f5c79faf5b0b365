import { addDerivedRows, writesFacts } from '../derived-rows.ts';
import { withoutShadows } from './storage.ts';
import { testEnv } from '../test-app.ts';

type Row = Record<string, unknown>;

/**
 * Reads all rows by table, without the search index. Two calls return equal results if no row was written in between.
 */
export async function readDatabase(): Promise<Record<string, Row[]>> {
  const { results: entries } = await testEnv.DB.prepare(
    "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\' ORDER BY name",
  ).all<{ name: string; sql: string }>();
  const tables = withoutShadows(entries).filter(({ sql }) => !sql.startsWith('CREATE VIRTUAL TABLE'));
  const contents = await testEnv.DB.batch<Row>(
    tables.map(({ name }) => testEnv.DB.prepare(`SELECT * FROM "${name}" ORDER BY 1, 2`)),
  );
  return Object.fromEntries(tables.map(({ name }, index) => [name, contents[index]?.results ?? []]));
}

/** Runs one statement and returns its rows. If it writes calls or users, also updates the rows derived from them. */
export async function query<Result = Row>(sql: string, ...values: unknown[]): Promise<Result[]> {
  const { results } = await testEnv.DB.prepare(sql)
    .bind(...values)
    .all<Result>();
  if (writesFacts(sql)) await addDerivedRows();
  return results;
}
