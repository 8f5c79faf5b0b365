import { toDay } from '#schema/rules/text/utc-day.ts';
import type { Context } from 'hono';
import type { KeysetCursor } from '../shared/keyset.ts';

export const CSV_PAGE_SIZE = 500;

export type CsvColumn<Described> = readonly [
  header: string,
  read: (described: Described) => string | undefined,
];

interface CsvExport<Row, Described> {
  readonly name: string;
  readonly now: number;
  readonly list: (page: { cursor: KeysetCursor | null; limit: number }) => Promise<readonly Row[]>;
  readonly cursorOf: (row: Row) => KeysetCursor;
  readonly describe: (row: Row) => Described;
  readonly columns: readonly CsvColumn<Described>[];
}

/** A CSV file of all rows, read page by page. */
export async function exportCsv<Row, Described>(file: CsvExport<Row, Described>) {
  const { name, now, list, cursorOf, describe, columns } = file;
  const rows = [columns.map(([header]) => header)];
  for (let cursor: KeysetCursor | null = null; ;) {
    const page: readonly Row[] = await list({ cursor, limit: CSV_PAGE_SIZE });
    for (const described of page.map(describe)) rows.push(columns.map(([, read]) => read(described) ?? ''));
    const last = page.at(-1);
    if (last === undefined || page.length < CSV_PAGE_SIZE) break;
    cursor = cursorOf(last);
  }
  const day = toDay(now);
  return { name: `solcallers-${name}-${day}.csv`, text: writeCsvRows(rows) };
}

export const respondWithCsv = (c: Context, { name, text }: Awaited<ReturnType<typeof exportCsv>>) =>
  c.body(text, 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}"`,
  });

/** Spreadsheets read cells that begin like this as formulas. */
const FORMULA_START = /^[=+\-@\t\r\n]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** Writes rows as CSV (RFC 4180). Puts an apostrophe before formulas, so that spreadsheets show them as text. */
export function writeCsvRows(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map(writeCell).join(',')}\r\n`).join('');
}

function writeCell(cell: string): string {
  const harmless = FORMULA_START.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
