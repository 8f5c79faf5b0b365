import {
  getTableColumns,
  is,
  SQL,
  sql,
  type Column,
  type GetColumnData,
  type Name,
  type Param,
  type Table,
} from 'drizzle-orm';
import { keysOf } from '#schema/rules/typed-keys.ts';
import type { Database } from './database.ts';
import { part } from './sql.ts';

/** A raw query's SELECT list, and how to read its rows: lamports become bigint, flags boolean. */
export interface Selection<Row> {
  readonly list: SQL;
  /** The names of the values, each with the column that maps it. Without a column, the value stays the database's. */
  readonly columns: ReadonlyMap<string, Column | undefined>;
  readonly read: (row: Readonly<Record<string, unknown>>) => Row;
}

export type SelectedRow<From> = From extends Selection<infer Row> ? Row : never;

type ColumnsIn<From extends Table> = From['_']['columns'];
type ColumnOf<From extends Table> = ColumnsIn<From>[keyof ColumnsIn<From>];
type KeyIn<From extends Table> = keyof ColumnsIn<From> & string;
type NameIn<From extends Table> = ColumnOf<From>['_']['name'] | KeyIn<From>;
type ValueOf<From extends Table, Name> = GetColumnData<
  Name extends keyof ColumnsIn<From> ? ColumnsIn<From>[Name] : Extract<ColumnOf<From>, { _: { name: Name } }>
>;
type Merged<Parts> = Parts extends readonly [Selection<infer Row>, ...infer Rest]
  ? Row & Merged<Rest>
  : unknown;

/**
 * Selects columns of `table` by their names in its declaration or in the database, so `tsc` fails if a column is renamed.
 * The query uses `alias` for the table.
 * @param names by default all columns as in the declaration
 * @param values SQL to select instead of a column, by the column's name in the database
 */
export function columnsOf<From extends Table, const Name extends NameIn<From> = KeyIn<From>>(
  table: From,
  alias: string,
  names?: readonly Name[],
  values: Readonly<Partial<Record<string, string | SQL>>> = {},
): Selection<{ readonly [Each in Name]: ValueOf<From, Each> }> {
  const declared = Object.entries(getTableColumns(table));
  const columns = new Map(
    declared.flatMap(([key, column]) => [
      [key, column],
      [column.name, column],
    ]),
  );
  const chosen: readonly string[] = names ?? declared.map(([key]) => key);
  const list = chosen.map((name) => {
    const column = columns.get(name)?.name ?? '';
    return sql`${part(values[column] ?? `"${alias}"."${column}"`)} AS ${sql.identifier(name)}`;
  });
  return selectionOf(listOf(list), new Map(chosen.map((name) => [name, columns.get(name)])));
}

function selectionOf<Row>(list: SQL, columns: Selection<Row>['columns']): Selection<Row> {
  // A page has hundreds of rows, so reading one creates no other object.
  const read = (row: Readonly<Record<string, unknown>>) => {
    const values: Record<string, unknown> = {};
    for (const [name, column] of columns) {
      const value = row[name];
      values[name] = value === null || column === undefined ? value : column.mapFromDriverValue(value);
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Drizzle maps columns, and `sql<Type>` types the other values.
    return values as Row;
  };
  return { list, columns, read };
}

/** The same columns for use after a LEFT JOIN: each may be null. */
export function optional<Row>(selection: Selection<Row>) {
  return selection as Selection<{ readonly [Name in keyof Row]: Row[Name] | null }>;
}

/** The same columns for use in a query whose conditions exclude NULL. */
export function present<Row>(selection: Selection<Row>) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The query's conditions exclude NULL.
  return selection as Selection<{ readonly [Name in keyof Row]: NonNullable<Row[Name]> }>;
}

/** Computed values as the database returns them. `sql<Type>` sets their types. A string is constant SQL. */
export function computed<Row extends object>(values: {
  readonly [As in keyof Row]: SQL<Row[As]> | string;
}): Selection<Readonly<Row>> {
  const names = keysOf<keyof Row & string>(values);
  const list = names.map((as) => sql`${part(values[as])} AS ${sql.identifier(as)}`);
  return selectionOf(listOf(list), new Map(names.map((as) => [as, undefined])));
}

export function selection<const Parts extends readonly Selection<object>[]>(
  ...parts: Parts
): Selection<Merged<Parts>> {
  const columns = new Map(parts.flatMap((each) => [...each.columns]));
  return selectionOf(listOf(parts.map(({ list }) => list)), columns);
}

export async function selectRows<Row>(db: Database, { read }: Selection<Row>, query: SQL): Promise<Row[]> {
  const rows = await db.all<Record<string, unknown>>(query);
  return rows.map(read);
}

/** The first row, or null. */
export async function selectRow<Row>(db: Database, columns: Selection<Row>, query: SQL): Promise<Row | null> {
  const [row] = await selectRows(db, columns, query);
  return row ?? null;
}

type RowValues<Into extends Table> = {
  readonly [Field in keyof Into['$inferInsert']]: Into['$inferInsert'][Field] | SQL;
};

/** An INSERT of one row that runs only if `condition` holds. */
export function insertWhere<Into extends Table>(into: Into, row: RowValues<Into>, condition: SQL): SQL {
  const columns = getTableColumns(into);
  const entries = Object.entries(row).flatMap(([field, value]) =>
    columns[field] === undefined ? [] : [{ column: columns[field], value }],
  );
  const names = entries.map(({ column }) => sql.identifier(column.name));
  const values = entries.map(({ column, value }) => (is(value, SQL) ? value : sql.param(value, column)));
  return sql`
    INSERT INTO ${into} (${listOf(names)})
    SELECT ${listOf(values)}
    WHERE ${condition}`;
}

const listOf = (parts: readonly (SQL | Name | Param)[]): SQL => sql.join([...parts], sql.raw(', '));

/** Any number of values for IN (...) as one JSON parameter, because D1 allows 100 parameters per query. */
export function valuesOf(values: readonly (string | number)[]): SQL {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
}
