import { eq, getTableName, inArray, sql, type SQL } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { logEntries } from '#schema/tables/log.ts';
import { allTables, factsOf } from '#schema/tables/table.ts';
import { chatMembers } from '#schema/tables/telegram-chats.ts';
import type { Database } from '../../../shared/database.ts';
import { keysetPage, type KeysetCursor } from '../../../shared/keyset.ts';
import { build } from '../../../shared/sql.ts';
import { belongTo, columnAt, ownerOf } from './own-rows.repository.ts';

export interface ExportSection {
  readonly name: string;
  readonly table: SQLiteTable;
  /** The SQL names of the exported columns. */
  readonly columns: readonly string[];
  /** The rest of the query from FROM on, with the table as `t`. It ends with a condition. */
  readonly from: (userId: string) => SQL;
  /** Columns to page by, in the order of an index. */
  readonly order: { readonly value: string; readonly id: string };
  /** If the exported rows reference the rows of the query: the referencing column, and the referenced one. */
  readonly reference?: { readonly from: string; readonly to: string };
}

/** Rows that no column with the user's id selects. */
const SELECTED_BY_HAND = new Map<SQLiteTable, (userId: string) => SQL>([
  [
    chatMembers,
    (userId) => sql`t.person_id = (SELECT chat_id FROM telegram_links WHERE user_id = ${userId})`,
  ],
  [
    logEntries,
    // Only the user's former names and handles. All other log entries are about calls, which are exported as well.
    (userId) => sql`t.caller_id = ${userId} AND t.call_id IS NULL AND t.kind = 'named'`,
  ],
]);

/** The table's first or second person. */
type Person = 'of' | 'alsoOf';

function keyOf(table: SQLiteTable, person: Person): string | undefined {
  const { of, alsoOf } = factsOf(table).table;
  return person === 'of' ? of : (alsoOf?.column ?? of);
}

/** Selects the person's rows of a table as `t`. */
function rowsOf(table: SQLiteTable, person: Person): Pick<ExportSection, 'from' | 'order'> {
  const { pagedBy, alsoOf, withoutRowid } = factsOf(table).table;
  const names = (person === 'of' ? pagedBy : alsoOf?.pagedBy) ?? [];
  const [value = 't.rowid', id = withoutRowid ? value : 't.rowid'] = names.map(
    (key) => `t.${columnAt(table, key).name}`,
  );
  const { column, parent } = ownerOf(table, keyOf(table, person));
  const owner = sql`t.${sql.identifier(column.name)}`;
  const isOwn = (userId: string) => {
    if (!parent) return eq(owner, userId);
    const isTheirs = belongTo(parent.table, (personId) => eq(personId, userId));
    return inArray(owner, build.select({ id: parent }).from(parent.table).where(isTheirs));
  };
  const condition = SELECTED_BY_HAND.get(table) ?? isOwn;
  return { from: (userId) => sql`FROM ${table} t WHERE ${condition(userId)}`, order: { value, id } };
}

function sectionOf(table: SQLiteTable, person: Person, name: string): ExportSection {
  const columns = Object.entries(factsOf(table).columns)
    .filter(([, { treatment }]) => treatment !== 'withhold')
    .map(([key]) => columnAt(table, key).name);
  const { column, parent } = ownerOf(table, keyOf(table, person));
  if (!parent) return { name, table, columns, ...rowsOf(table, person) };
  // A page has the rows that reference a number of the person's rows.
  const reference = { from: column.name, to: parent.name };
  return { name, table, columns, ...rowsOf(parent.table, person), reference };
}

/** Returns all data that we store about a user. Long sections are paged along an index. */
export const exportSections = (): ExportSection[] =>
  allTables().flatMap((table) => {
    const { of, alsoOf } = factsOf(table).table;
    if (of === undefined) return [];
    const section = sectionOf(table, 'of', getTableName(table));
    return alsoOf ? [section, sectionOf(table, 'alsoOf', alsoOf.section)] : [section];
  });

/** Returns the tables that no export has, with the reason. */
export const notExported = (): Readonly<Record<string, string>> => ({
  // Not declared in schema/tables.
  callers_search: 'A copy of your name and handle, for the search.',
  ...Object.fromEntries(
    allTables().flatMap((table) => {
      const { withheld } = factsOf(table).table;
      return withheld === undefined ? [] : [[getTableName(table), withheld]];
    }),
  ),
});

export type ExportRow = Readonly<Record<string, unknown>>;

export interface ExportPageQuery {
  readonly userId: string;
  readonly section: ExportSection;
  readonly cursor: KeysetCursor | null;
  readonly limit: number;
}

export function createExportRepository(db: Database) {
  return {
    /** Reads one page of a section's rows, with values as stored. A page of children has `limit` parents. */
    async readPage({ userId, section, cursor, limit }: ExportPageQuery) {
      const { table, reference } = section;
      const { value, id } = section.order;
      const columns = section.columns.map((name) => `t."${name}"`);
      const ordered = [`${value} AS page_value`, `${id} AS page_id`];
      const read = (selected: readonly string[]) =>
        keysetPage({
          select: sql`SELECT ${sql.raw([...selected, ...ordered].join(', '))} ${section.from(userId)}`,
          value,
          id,
          order: 'asc',
          cursor,
          limit,
        });
      const query =
        reference === undefined
          ? read([...columns, '1 AS page_row'])
          : sql`
              SELECT ${sql.raw([...columns, `t."${reference.from}" AS page_row`].join(', '))}, page_value, page_id
              FROM (${read([`t."${reference.to}" AS parent_id`])}) p
              LEFT JOIN ${table} t ON t.${sql.identifier(reference.from)} = p.parent_id
              ORDER BY page_value, page_id`;
      const found = await db.all<ExportRow>(query);
      const rows = found
        .filter(({ page_row: row }) => row !== null)
        .map(({ page_value: _value, page_id: _id, page_row: _row, ...row }) => row);
      const pages = new Set(found.map(({ page_id: pageId }) => pageId));
      const last = pages.size < limit ? undefined : found.at(-1);
      const next = last && { value: Number(last['page_value']), id: String(last['page_id']) };
      return { rows, next: next ?? null };
    },
  };
}
