import { and, not, or, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { drizzle } from 'drizzle-orm/sqlite-proxy';

/** Builds statements for `runBatch`. It has no connection, so it can't run them. */
export const build = drizzle(() => Promise.reject(new Error('A batch must run this statement')));

/** A part of a query that is written as text, such as `k.id`. It must be a constant. */
export const part = (text: SQL | string): SQL => (typeof text === 'string' ? sql.raw(text) : text);

type Condition = SQL | undefined;

/** All of the conditions. True if there are none. */
export const allOf = (...conditions: readonly Condition[]): SQL => and(...conditions) ?? sql`1 = 1`;

/** At least one of the conditions. False if there are none. */
export const anyOf = (...conditions: readonly Condition[]): SQL => or(...conditions) ?? sql`1 = 0`;

/** The table has a row that meets all conditions. */
export const hasRow = (table: SQLiteTable, ...conditions: readonly Condition[]): SQL =>
  sql`EXISTS (SELECT 1 FROM ${table} WHERE ${allOf(...conditions)})`;

export const hasNoRow = (table: SQLiteTable, ...conditions: readonly Condition[]): SQL =>
  not(hasRow(table, ...conditions));

/** The column in the row that meets all conditions. NULL if there is none. */
export const valueIn = <Value = unknown>(
  column: AnyColumn,
  ...conditions: readonly Condition[]
): SQL<Value | null> => sql`(SELECT ${column} FROM ${column.table} WHERE ${allOf(...conditions)})`;

/** `IS`, which compares NULL like any other value. */
export const is = (column: AnyColumn | SQL, value: unknown): SQL => sql`${column} IS ${value}`;

/** Compares texts like the index of this column, without regard to the case of ASCII letters. */
export const equalsIgnoringCase = (column: AnyColumn, value: string): SQL =>
  sql`${column} = ${value} COLLATE NOCASE`;

/** `now`, or one more than the column's value if that isn't earlier. A version that always changes. */
export const later = (column: AnyColumn, now: number): SQL => sql`MAX(${column} + 1, ${now})`;

/** One fewer, but never less than 0. */
export const fewer = (column: AnyColumn): SQL => sql`MAX(0, ${column} - 1)`;

/** The row comes after this position in the order of the columns. An index of them is searched, not read. */
export const isAfter = (columns: readonly AnyColumn[], position: readonly unknown[]): SQL =>
  sql`${columns} > ${position}`;

/** Deletes at most `limit` rows, in any order: a DELETE in D1 has no LIMIT. */
export const deleteFirst = (table: SQLiteTable, where: SQL, limit: number): SQL =>
  sql`DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${where} LIMIT ${limit})`;
