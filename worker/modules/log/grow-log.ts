import { buildEntry, type LogRow, type SealedRow } from './build-entry.ts';
import { growTiles, leafHash, rangeHash, type Tiles } from './merkle.ts';

/** The number of entries per row of `log_tiles`. Rows stay far below D1's 2 MB even if all entries are long. */
export const ENTRIES_PER_ROW = 16;
/** Separates two entries. Canonical JSON has no line breaks. */
const SEPARATOR = ',\n';

export const entriesOf = (data: string): string[] => (data === '' ? [] : data.split(SEPARATOR));

/** The stored parts of a log of `size` entries that are needed to add rows. */
export interface LogEdge {
  readonly size: number;
  readonly hashes: Tiles;
  /** The last row of `log_tiles` with entries if it isn't full, otherwise ''. */
  readonly lastEntries: string;
  /** The leaf hash of each caller's last entry, by caller id. */
  readonly last: ReadonlyMap<string, string>;
  /** Earlier sealed rows of the calls that end, by call id. */
  readonly sealed: ReadonlyMap<string, readonly SealedRow[]>;
}

export interface GrownLog {
  readonly size: number;
  readonly root: string;
  /** Changed tiles, with all of their hashes. */
  readonly hashes: Tiles;
  /** Changed rows of entries, by row number. */
  readonly entries: ReadonlyMap<number, string>;
}

/** Adds rows to the log. @throws if a row is missing */
export function growLog(edge: LogEdge, rows: readonly LogRow[]): GrownLog {
  const { size } = edge;
  const last = new Map(edge.last);
  const sealed = new Map(edge.sealed);
  const grown: string[] = [];
  for (const row of rows) {
    const { id, caller_id: caller, number, salt } = row;
    const previous = last.get(caller ?? '') ?? null;
    if (id !== size + grown.length + 1) throw new Error(`The log has a gap before ${id}`);
    if ((number ?? 1) > 1 && previous === null) throw new Error(`The entry before ${id} is missing`);
    const call = row.call_id ?? '';
    const ofCall = sealed.get(call) ?? [];
    const entry = buildEntry({ row, previous, sealed: ofCall });
    grown.push(entry);
    if (caller !== null) last.set(caller, leafHash(entry));
    if (salt !== null) sealed.set(call, [...ofCall, row]);
  }
  const hashes = growTiles({ size, edge: edge.hashes, leaves: grown.map(leafHash) });
  const range = { start: 0, end: size + grown.length };
  const root = rangeHash(range, new Map([...edge.hashes, ...hashes]));
  return { size: range.end, root, hashes, entries: groupEntries(edge, grown) };
}

function groupEntries({ size, lastEntries }: LogEdge, grown: readonly string[]): Map<number, string> {
  const first = Math.floor(size / ENTRIES_PER_ROW);
  const entries = [...entriesOf(lastEntries), ...grown];
  return new Map(
    Array.from({ length: Math.ceil(entries.length / ENTRIES_PER_ROW) }, (_, row) => [
      first + row,
      entries.slice(row * ENTRIES_PER_ROW, (row + 1) * ENTRIES_PER_ROW).join(SEPARATOR),
    ]),
  );
}
