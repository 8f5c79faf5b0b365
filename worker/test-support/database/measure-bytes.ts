import { testEnv } from '../test-app.ts';
import { query, readDatabase } from './database.ts';

/** The bytes of each table and its indexes. */
export async function measureBytes(): Promise<Readonly<Record<string, number>>> {
  const rows = await readDatabase();
  const schema = await query<{ sql: string; table: string }>(
    `SELECT sql, tbl_name AS "table" FROM sqlite_master WHERE type IN ('table', 'index') AND sql IS NOT NULL ORDER BY type DESC`,
  );
  const statements = schema.filter(({ table }) => Object.hasOwn(rows, table)).map(({ sql }) => sql);
  const body = JSON.stringify({ schema: statements, rows });
  return (await fetch(`${testEnv.TEST_CLOCK_URL}/bytes`, { method: 'POST', body })).json();
}
