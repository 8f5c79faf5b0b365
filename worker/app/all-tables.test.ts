import { getTableName } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { allTables } from '#schema/tables/table.ts';
import { readDatabase } from '#test/database/database.ts';

it('the worker has loaded every table of the migrated database', async () => {
  const names = Object.keys(await readDatabase()).filter((name) => name !== 'd1_migrations');
  expect(allTables().map(getTableName).toSorted()).toEqual(names.toSorted());
});
