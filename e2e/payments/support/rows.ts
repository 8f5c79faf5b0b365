import { testEnv } from '#test/test-app.ts';
import { QUERIES, type Rows } from './row-queries.ts';

/** Reads all tables in one transaction. */
export async function readRows(): Promise<Rows> {
  const names = Object.keys(QUERIES) as (keyof Rows)[];
  const responses = await testEnv.DB.batch(names.map((name) => testEnv.DB.prepare(QUERIES[name])));
  return Object.fromEntries(
    names.map((name, index) => [name, responses[index]?.results ?? []]),
  ) as unknown as Rows;
}
