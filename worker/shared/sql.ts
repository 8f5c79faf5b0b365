import { and, not, or, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { drizzle } from 'drizzle-orm/sqlite-proxy';

/** Builds statements for `runBatch`. It has no connection, so it can't run them. */
export const build = drizzle(() => Promise.reject(new Error('A batch must run this statement')));

/** Converts constant text, such as `k.id`, to SQL. Never pass it user input: it isn't escaped. */
export const part = (text: SQL | string): SQL => (typeof text === 'string' ? sql.raw(text) : text);

type Condition = SQL | undefined;

/** Joins conditions with AND. True without conditions. */
export const allOf = (...conditions: readonly Condition[]): SQL => and(...conditions) ?? sql`1 = 1`;

/** Joins conditions with OR. False without conditions. */
export const anyOf = (...conditions: readonly Condition[]): SQL => or(...conditions) ?? sql`1 = 0`;

export const hasRow = (table: SQLiteTable, ...conditions: readonly Condition[]): SQL =>
  sql`EXISTS (SELECT 1 FROM ${table} WHERE ${allOf(...conditions)})`;

export const hasNoRow = (table: SQLiteTable, ...conditions: readonly Condition[]): SQL =>
  not(hasRow(table, ...conditions));

export const valueIn = <Value = unknown>(
  column: AnyColumn,
  ...conditions: readonly Condition[]
): SQL<Value | null> => sql`(SELECT ${column} FROM ${column.table} WHERE ${allOf(...conditions)})`;

/** `IS`, which compares NULL like any other value. */
export const is = (column: AnyColumn | SQL, value: unknown): SQL => sql`${column} IS ${value}`;

/** Compares texts like the index of this column, without regard to the case of ASCII letters. */
export const equalsIgnoringCase = (column: AnyColumn, value: string): SQL =>
  sql`${column} = ${value} COLLATE NOCASE`;

/** The column's value + 1 or `now`, whichever is greater: a version that always increases. */
export const later = (column: AnyColumn, now: number): SQL => sql`MAX(${column} + 1, ${now})`;

export const fewer = (column: AnyColumn): SQL => sql`MAX(0, ${column} - 1)`;

/** SQL condition: the row comes after this position in the order of the columns. Can use an index of these columns. */
export const isAfter = (columns: readonly AnyColumn[], position: readonly unknown[]): SQL =>
  sql`${columns} > ${position}`;

/** Deletes at most `limit` rows, in any order: a DELETE in D1 has no LIMIT. */
export const deleteFirst = (table: SQLiteTable, where: SQL, limit: number): SQL =>
  sql`DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${where} LIMIT ${limit})`;
