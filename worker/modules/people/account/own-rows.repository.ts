import { and, getTableColumns, getTableName, inArray, sql, type SQL } from 'drizzle-orm';
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { factsOf, type DeclaredColumn } from '#schema/tables/table.ts';
import { users } from '#schema/tables/users.ts';
import type { Statement } from '../../../shared/job-leases.ts';
import { anyOf, build } from '../../../shared/sql.ts';

interface Owner {
  /** The column with a person's id, or with a reference to a row of another table that belongs to a person. */
  readonly column: SQLiteColumn;
  /** The referenced column. Undefined if `column` has the person's id. */
  readonly parent: SQLiteColumn | undefined;
}

export function columnAt(table: SQLiteTable, key: string | undefined): SQLiteColumn {
  const column = (getTableColumns(table) as Readonly<Record<string, SQLiteColumn>>)[key ?? ''];
  if (!column) throw new Error(`${getTableName(table)} has no column ${key}`);
  return column;
}

/** Finds the person to whom a table's rows belong, by default by the table's column `of`. */
export function ownerOf(table: SQLiteTable, key = factsOf(table).table.of): Owner {
  const column = columnAt(table, key);
  const reference = getTableConfig(table)
    .foreignKeys.map((each) => each.reference())
    .find(({ columns }) => columns.length === 1 && columns[0] === column);
  const isPerson = reference === undefined || reference.foreignTable === users;
  return { column, parent: isPerson ? undefined : reference.foreignColumns[0] };
}

/** Returns the table that has the person's id: the table itself, or the one that its rows belong to in the end. */
export function personsTable(table: SQLiteTable): SQLiteTable {
  const { parent } = ownerOf(table);
  return parent ? personsTable(parent.table) : table;
}

/** SQL condition: the rows belong to certain rows of the table with the person's id. */
export function belongTo(table: SQLiteTable, isIn: (personId: SQLiteColumn) => SQL): SQL {
  const { column, parent } = ownerOf(table);
  if (!parent) return isIn(column);
  return inArray(column, build.select({ id: parent }).from(parent.table).where(belongTo(parent.table, isIn)));
}

const isErased = ({ treatment }: DeclaredColumn): boolean => treatment === 'erase';

/** Returns empty values for erased columns: the default, NULL or an empty text. */
export function emptied(table: SQLiteTable, which = isErased): Record<string, SQL> {
  const erased = Object.entries(factsOf(table).columns).filter(([, facts]) => which(facts));
  return Object.fromEntries(
    erased.map(([key]) => {
      const column = columnAt(table, key);
      const value: unknown = column.default ?? (column.notNull ? '' : null);
      return [key, sql`${value === null ? null : sql.param(value, column)}`];
    }),
  );
}

/** Deletes rows without a column to keep. Otherwise, empties the columns to erase. */
export function eraseRows(table: SQLiteTable, where: SQL | undefined): Statement[] {
  const isKept = Object.values(factsOf(table).columns).some(({ treatment }) => treatment === 'keep');
  return isKept ? emptyRows(table, where) : [build.delete(table).where(where)];
}

/** Empties the columns to erase, in rows that have any of them. */
export function emptyRows(table: SQLiteTable, where: SQL | undefined, which = isErased): Statement[] {
  const values = emptied(table, which);
  const changes = Object.entries(values).map(([key, value]) => sql`${columnAt(table, key)} IS NOT ${value}`);
  if (changes.length === 0) return [];
  return [
    build
      .update(table)
      .set(values)
      .where(and(where, anyOf(...changes))),
  ];
}
