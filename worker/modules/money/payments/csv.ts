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
