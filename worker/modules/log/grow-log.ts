import { canonicalJson } from '../../shared/canonical-json.ts';
import { buildEntry, type LogRow, type SealedRow } from './build-entry.ts';
import { changeMap, mapIndex, readLeaf, writeLeaf, type LastEntry } from './caller-map.ts';
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
  /** Leaves of the map, by index. */
  readonly mapLeaves: ReadonlyMap<number, string>;
  readonly mapTiles: Tiles;
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
  readonly mapLeaves: ReadonlyMap<number, string>;
  readonly mapTiles: Tiles;
  /** Ids of calls whose end was too long to reveal all sealed entries. */
  readonly cutEnds: readonly string[];
}

/** Adds rows to the log. @throws if a row is missing */
export function growLog(edge: LogEdge, rows: readonly LogRow[]): GrownLog {
  const { size } = edge;
  const map = openMap(edge);
  const sealed = new Map([...edge.sealed].map(([call, known]) => [call, [...known]]));
  const grown: string[] = [];
  const cutEnds: string[] = [];
  for (const [offset, row] of rows.entries()) {
    if (row.id !== size + offset + 1) throw new Error(`The log has a gap before ${row.id}`);
    if (row.caller_id === null) {
      const { time } = JSON.parse(row.content) as { time: number };
      grown.push(canonicalJson({ kind: 'map', content: { root: map.root(), size: row.id - 1, time } }));
      continue;
    }
    const last = map.find(row.caller_id);
    const call = row.call_id ?? '';
    const ofCall = sealed.get(call) ?? [];
    const { entry, isCut } = buildEntry({ row, last, sealed: ofCall });
    if (isCut) cutEnds.push(call);
    const number = (last?.number ?? 0) + 1;
    grown.push(entry);
    map.set(row.caller_id, { number, hash: leafHash(entry) });
    if (row.salt !== null) sealed.set(call, [...ofCall, { ...row, number }]);
  }
  const hashes = growTiles({ size, edge: edge.hashes, leaves: grown.map(leafHash) });
  const range = { start: 0, end: size + grown.length };
  const root = rangeHash(range, new Map([...edge.hashes, ...hashes]));
  const entries = groupEntries(edge, grown);
  return { size: range.end, root, hashes, entries, cutEnds, ...map.changes() };
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

/** Opens the map for changes. Tiles are computed only when the root is needed. */
function openMap({ mapLeaves, mapTiles }: LogEdge) {
  const leaves = new Map<number, Map<string, LastEntry>>();
  /** Indexes of the leaves that changed since the last root. */
  const dirty = new Set<number>();
  const tiles = new Map<string, string>();
  const leafOf = (index: number): Map<string, LastEntry> => {
    const leaf = leaves.get(index) ?? readLeaf(mapLeaves.get(index) ?? '');
    leaves.set(index, leaf);
    return leaf;
  };
  const root = (): string => {
    const changed = new Map([...dirty].map((index) => [index, writeLeaf(leafOf(index))]));
    const map = changeMap(new Map([...mapTiles, ...tiles]), changed);
    dirty.clear();
    for (const [key, data] of map.changed) tiles.set(key, data);
    return map.root;
  };
  return {
    find: (callerId: string): LastEntry | undefined => leafOf(mapIndex(callerId)).get(callerId),
    set(callerId: string, last: LastEntry): void {
      const index = mapIndex(callerId);
      leafOf(index).set(callerId, last);
      dirty.add(index);
    },
    root,
    changes(): Pick<GrownLog, 'mapLeaves' | 'mapTiles'> {
      root();
      return {
        mapLeaves: new Map([...leaves].map(([index, leaf]) => [index, writeLeaf(leaf)])),
        mapTiles: tiles,
      };
    },
  };
}
