import { getTableName } from 'drizzle-orm';
import { getTableConfig } from 'drizzle-orm/sqlite-core';
import { allTables, factsOf } from '#schema/tables/table.ts';

/**
 * Returns the tables of the nightly export. A table comes before the tables that it references: rows that are added
 * during the export then never lack the rows that they reference.
 */
export const backedUpTables = (): string[] =>
  allTables()
    .toReversed()
    .filter((table) => factsOf(table).table.notBackedUp === undefined)
    .map(getTableName);

/** Returns the columns that order a table without rowids. Undefined for other tables. */
export function keyOf(name: string): string[] | undefined {
  const table = allTables().find((each) => getTableName(each) === name);
  if (!table || !factsOf(table).table.withoutRowid) return undefined;
  return getTableConfig(table).primaryKeys.flatMap(({ columns }) => columns.map((column) => column.name));
}
