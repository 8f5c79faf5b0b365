import { buildEntry, type LogRow, type SealedRow } from './build-entry.ts';
import { growTiles, leafHash, rangeHash, type Tiles } from './merkle.ts';

/** The parts of the first `size` entries that the entries of the next rows refer to. */
export interface EarlierParts {
  readonly size: number;
  readonly last: ReadonlyMap<string, string>;
  readonly sealed: ReadonlyMap<string, readonly SealedRow[]>;
}

/** The size of a log, and its partial tiles. */
export interface LogEdge {
  readonly size: number;
  readonly hashes: Tiles;
}

export interface GrownLog {
  readonly size: number;
  readonly root: string;
  readonly hashes: Tiles;
}

export function buildEntries({ size, ...earlier }: EarlierParts, rows: readonly LogRow[]): string[] {
  const last = new Map(earlier.last);
  const sealed = new Map(earlier.sealed);
  const entries: string[] = [];
  for (const row of rows) {
    const { id, callerId: caller, number, salt } = row;
    const previous = last.get(caller ?? '') ?? null;
    if (id !== size + entries.length + 1) throw new Error(`The log has a gap before ${id}`);
    if ((number ?? 1) > 1 && previous === null) throw new Error(`The entry before ${id} is missing`);
    const call = row.callId ?? '';
    const ofCall = sealed.get(call) ?? [];
    const entry = buildEntry({ row, previous, sealed: ofCall });
    entries.push(entry);
    if (caller !== null) last.set(caller, leafHash(entry));
    if (salt !== null) sealed.set(call, [...ofCall, row]);
  }
  return entries;
}

export function growLog(edge: LogEdge, entries: readonly string[]): GrownLog {
  const leaves = entries.map(leafHash);
  const hashes = growTiles({ size: edge.size, edge: edge.hashes, leaves });
  const range = { start: 0, end: edge.size + leaves.length };
  return { size: range.end, root: rangeHash(range, new Map([...edge.hashes, ...hashes])), hashes };
}
