import { getTableName, type BuildColumns } from 'drizzle-orm';
import {
  getTableConfig,
  sqliteTable,
  type SQLiteColumnBuilderBase,
  type SQLiteTable,
  type SQLiteTableExtraConfigValue,
  type SQLiteTableWithColumns,
} from 'drizzle-orm/sqlite-core';

/**
 * How deletion and export treat a column's values:
 *
 * - `erase`: personal data. The deletion of the account removes it, and the export has it.
 * - `keep`: stays after the deletion, and the export has it.
 * - `withhold`: not in the export, such as a secret. It stays or goes with its row.
 *
 * The deletion deletes a person's rows if no column is kept. Otherwise it empties the columns to erase.
 */
export type Treatment = 'erase' | 'keep' | 'withhold';

export interface ColumnFacts {
  /** A trigger forbids changes from the insertion on, or once the row has ended (`fixed-columns.ts`). */
  readonly fixed?: 'entry' | 'end';
  /** The value's member in the public log, in the entry for the time at which the column is fixed. */
  readonly logged?: string;
  /** Viewers of the row see the value as it is, or a value that is computed from it. By default, they see neither. */
  readonly shown?: 'same' | 'computed';
  /** Also erased when a caller with paid subscribers asks for the deletion, because they don't need it. */
  readonly atRequest?: true;
}

export interface DeclaredColumn extends ColumnFacts {
  readonly treatment: Treatment;
}

interface Section<Key> {
  /**
   * The export pages a long list by these columns. An index must begin with the person's column and these. By default
   * it pages by the rowid, so a table without rowids needs them.
   */
  readonly pagedBy?: readonly [value: Key, id?: Key];
}

interface PersonsTable<Key> extends Section<Key> {
  /** The column with the owner's id, or with a reference to a row that has an owner. */
  readonly of: Key;
  /** A second person, whose export has the rows in a section of its own. */
  readonly alsoOf?: Section<Key> & {
    readonly section: string;
    /** Without a column, the second person of the referenced row. */
    readonly column?: Key;
  };
  /** Also erased when a caller with paid subscribers asks for the deletion, because they don't need the rows. */
  readonly atRequest?: true;
  /** The deletion has a statement of its own for this table (`deletion-statements.repository.ts`). */
  readonly erasedByHand?: true;
}

interface WithheldTable {
  /** The reason why no export has the table. Each export contains this reason. All columns are withheld. */
  readonly withheld: string;
  readonly of?: never;
}

interface StoredTable {
  /** The reason why the rows may be lost with the database. Without one, backups have them. */
  readonly notBackedUp?: string;
  /** Triggers refuse deletion, or also every change (`fixed-columns.ts`). */
  readonly never?: 'deleted' | 'changed';
  /** The migration makes it WITHOUT ROWID, which Drizzle can't declare. */
  readonly withoutRowid?: true;
}

export type TableFacts<Key> = (PersonsTable<Key> | WithheldTable) & StoredTable;

export interface DeclaredTable {
  readonly table: Partial<PersonsTable<string>> & Partial<Pick<WithheldTable, 'withheld'>> & StoredTable;
  readonly columns: Readonly<Record<string, DeclaredColumn>>;
}

const declaredColumns = new WeakMap<SQLiteColumnBuilderBase, DeclaredColumn>();
export const registry = new Map<SQLiteTable, DeclaredTable>();

declare const FACTS: unique symbol;
/** The facts in a column's type. */
export interface WithFacts<Facts> {
  readonly [FACTS]?: Facts;
}

/** The columns with a fact. */
export type ColumnsWith<Columns, Fact> = {
  [Key in keyof Columns & string]: Columns[Key] extends WithFacts<infer Facts>
    ? Facts extends Fact
      ? Key
      : never
    : never;
}[keyof Columns & string];

const declareAs =
  (treatment: Treatment) =>
  <Builder extends SQLiteColumnBuilderBase, const Facts extends ColumnFacts = ColumnFacts>(
    builder: Builder,
    facts?: Facts,
  ): Builder & WithFacts<Facts> => {
    declaredColumns.set(builder, { treatment, ...facts });
    return builder;
  };

/** Column: personal data. The deletion of the account removes it, and the export has it. */
export const erase = declareAs('erase');

/** Column: stays after the deletion of the account, and the export has it. */
export const keep = declareAs('keep');

/** Column: not in the export. Stays or goes with its row. */
export const withhold = declareAs('withhold');

/**
 * Declares a table. Each column is wrapped in `erase`, `keep` or `withhold`, unless the table as a whole is withheld.
 * Deletion, export and backup follow from that.
 * @throws if a column isn't wrapped
 */
export function table<Name extends string, Columns extends Record<string, SQLiteColumnBuilderBase>>(
  name: Name,
  columns: Columns,
  facts: TableFacts<keyof Columns & string>,
  extraConfig?: (self: BuildColumns<Name, Columns, 'sqlite'>) => SQLiteTableExtraConfigValue[],
): SQLiteTableWithColumns<{
  name: Name;
  schema: undefined;
  columns: BuildColumns<Name, Columns, 'sqlite'>;
  dialect: 'sqlite';
}> {
  const declared = sqliteTable(name, columns, extraConfig);
  const declarations = Object.entries(columns).map(([key, builder]): [string, DeclaredColumn] => {
    const column =
      declaredColumns.get(builder) ?? (facts.of === undefined ? { treatment: 'withhold' } : undefined);
    if (!column) throw new Error(`${name}.${key} is declared without erase, keep or withhold.`);
    return [key, column];
  });
  registry.set(declared, { table: facts, columns: Object.fromEntries(declarations) });
  return declared;
}

/** @throws if the table wasn't declared with `table` */
export function factsOf(declared: SQLiteTable): DeclaredTable {
  const facts = registry.get(declared);
  if (!facts) throw new Error(`${getTableName(declared)} isn't declared with table().`);
  return facts;
}

const referencesOf = (declared: SQLiteTable): SQLiteTable[] =>
  getTableConfig(declared).foreignKeys.map((key) => key.reference().foreignTable);

let sorted: readonly SQLiteTable[] = [];

/** Returns all declared tables whose files are loaded. A table comes after those that it references. */
export function allTables(): readonly SQLiteTable[] {
  const isCurrent = sorted.length === registry.size && sorted.every((each) => registry.has(each));
  if (!isCurrent) sorted = sortTables();
  return sorted;
}

function sortTables(): SQLiteTable[] {
  const depths = new Map<SQLiteTable, number>();
  const depthOf = (each: SQLiteTable): number => {
    const depth = depths.get(each) ?? Math.max(0, ...referencesOf(each).map((parent) => depthOf(parent) + 1));
    depths.set(each, depth);
    return depth;
  };
  const placeOf = (each: SQLiteTable) => `${String(depthOf(each)).padStart(3, '0')} ${getTableName(each)}`;
  return [...registry.keys()].toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}
