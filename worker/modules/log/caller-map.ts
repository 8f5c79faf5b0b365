import { fromBase64 } from '../../shared/base64.ts';
import { sha256 } from '../../shared/sha256.ts';
import { auditPath, hashesOf, leafHash, rootOf, TILE_WIDTH, tileKey, type Tiles } from './merkle.ts';

// The map of callers is a Merkle tree with 65,536 leaves: 256 tiles of leaves, and one tile of their roots.

/** A caller's last entry. */
export interface LastEntry {
  readonly number: number;
  readonly hash: string;
}

const TOP = tileKey(1, 0);
const EMPTY_TILE = leafHash('').repeat(TILE_WIDTH);
const EMPTY_TOP = rootOf(hashesOf(EMPTY_TILE)).repeat(TILE_WIDTH);

/** The index of a caller's leaf. */
export function mapIndex(callerId: string): number {
  const [high = 0, low = 0] = fromBase64(sha256(callerId));
  return high * TILE_WIDTH + low;
}

/** Returns the keys of the tiles that contain these leaves' hashes, audit paths and root. */
export const mapTilesOf = (indexes: readonly number[]): string[] => [
  TOP,
  ...new Set(indexes.map((index) => tileKey(0, index))),
];

/** Parses a leaf, which has one line for each of its callers. */
export function readLeaf(data: string): Map<string, LastEntry> {
  const lines = data.split('\n').slice(0, -1);
  return new Map(
    lines.map((line) => {
      const [id = '', number = '', hash = ''] = line.split(' ');
      return [id, { number: Number(number), hash }];
    }),
  );
}

export function writeLeaf(callers: ReadonlyMap<string, LastEntry>): string {
  return [...callers]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, { number, hash }]) => `${id} ${number} ${hash}\n`)
    .join('');
}

/**
 * Returns the tiles that change with these leaves, and the map's new root. `leaves` maps an index to the leaf's data.
 */
export function changeMap(
  tiles: Tiles,
  leaves: ReadonlyMap<number, string>,
): { changed: Map<string, string>; root: string } {
  const changed = new Map<string, string>();
  const replace = (key: string, empty: string, index: number, hash: string): void => {
    const hashes = hashesOf(changed.get(key) ?? tiles.get(key) ?? empty);
    hashes[index] = hash;
    changed.set(key, hashes.join(''));
  };
  for (const [index, data] of leaves) {
    replace(tileKey(0, index), EMPTY_TILE, index % TILE_WIDTH, leafHash(data));
  }
  const lower = [...changed];
  for (const [key, data] of lower) {
    replace(TOP, EMPTY_TOP, Number(key.split('/')[1]), rootOf(hashesOf(data)));
  }
  return { changed, root: rootOf(hashesOf(changed.get(TOP) ?? tiles.get(TOP) ?? EMPTY_TOP)) };
}

/** Returns a leaf's audit path. `tiles` contains the stored ones of `mapTilesOf([index])`. */
export const mapPath = (tiles: Tiles, index: number): string[] => [
  ...auditPath(hashesOf(tiles.get(tileKey(0, index)) ?? EMPTY_TILE), index % TILE_WIDTH),
  ...auditPath(hashesOf(tiles.get(TOP) ?? EMPTY_TOP), Math.floor(index / TILE_WIDTH)),
];
