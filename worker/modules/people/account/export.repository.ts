import { sql } from 'drizzle-orm';
import type { Database } from '../../../shared/database.ts';
import { keysetPage, type KeysetCursor } from '../../../shared/keyset.ts';
import { columnsOfSection, type ExportSection } from './export-sections.ts';

export type ExportRow = Readonly<Record<string, unknown>>;

export interface ExportPage {
  readonly rows: readonly ExportRow[];
  /** The next page's cursor; null after the last page. */
  readonly next: KeysetCursor | null;
}

export interface ExportPageQuery {
  readonly userId: string;
  readonly section: ExportSection;
  readonly cursor: KeysetCursor | null;
  readonly limit: number;
}

export type ExportRepository = ReturnType<typeof createExportRepository>;

export function createExportRepository(db: Database) {
  return {
    /** Reads one page of a section's rows, with values as stored. */
    async readPage({ userId, section, cursor, limit }: ExportPageQuery): Promise<ExportPage> {
      const { value, id } = section.order;
      const columns = columnsOfSection(section).map((name) => `t."${name}"`);
      const select = sql`
        SELECT ${sql.raw([...columns, `${value} AS page_value`, `${id} AS page_id`].join(', '))}
        ${section.from(userId)}`;
      const found = await db.all<ExportRow>(keysetPage({ select, value, id, order: 'asc', cursor, limit }));
      const rows = found.map(({ page_value: _value, page_id: _id, ...row }) => row);
      const last = found.length < limit ? undefined : found.at(-1);
      const next = last && { value: Number(last['page_value']), id: String(last['page_id']) };
      return { rows, next: next ?? null };
    },
  };
}
