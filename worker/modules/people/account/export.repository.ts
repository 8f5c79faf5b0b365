import { sql } from 'drizzle-orm';
import type { Database } from '../../../shared/database.ts';
import { keysetPage, type KeysetCursor } from '../../../shared/keyset.ts';
import type { ExportSection } from './export-sections.ts';

export type ExportRow = Readonly<Record<string, unknown>>;

export interface ExportPage {
  readonly rows: readonly ExportRow[];
  readonly next: KeysetCursor | null;
}

export interface ExportPageQuery {
  readonly userId: string;
  readonly section: ExportSection;
  readonly cursor: KeysetCursor | null;
  readonly limit: number;
}

export function createExportRepository(db: Database) {
  return {
    /** Reads one page of a section's rows, with values as stored. A page of children has `limit` parents. */
    async readPage({ userId, section, cursor, limit }: ExportPageQuery): Promise<ExportPage> {
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
              SELECT ${sql.raw([...columns, 't.rowid AS page_row'].join(', '))}, page_value, page_id
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
