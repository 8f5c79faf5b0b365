import { type Bytes } from './bytes.ts';
import { Problem } from './report.ts';
import type { Source } from './source.ts';
import { treeHash, type SubtreeHash } from './tree.ts';

// https://c2sp.org/tlog-tiles

export const TILE_WIDTH = 256;
const HASH_BYTES = 32;

/** Returns the path of a tile of hashes, or of a bundle of entries. */
export function tilePath(level: number | 'entries', tile: number, width: number): string {
  const digits = String(tile);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? [];
  const place = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/');
  return `/log/tile/${level}/${place}${width < TILE_WIDTH ? `.p/${width}` : ''}`;
}

/** Returns the number of hashes in a tile of a tree with this size. */
export function tileWidth(size: number, level: number, tile: number): number {
  return Math.min(TILE_WIDTH, Math.floor(size / TILE_WIDTH ** level) - tile * TILE_WIDTH);
}

export const hashesIn = (bytes: Bytes): Bytes[] =>
  Array.from({ length: bytes.length / HASH_BYTES }, (_, place) =>
    bytes.slice(place * HASH_BYTES, (place + 1) * HASH_BYTES),
  );

/** Reads hashes of subtrees from the tiles of a tree with this size. The hashes are unverified. */
export function createTileReader(source: Source, size: number): SubtreeHash {
  const tiles = new Map<string, Promise<Bytes[]>>();
  const read = async (path: string, width: number) => {
    const bytes = await source.fetchBytes(path);
    if (bytes.length !== width * HASH_BYTES) {
      throw new Problem('malformed', `${path} doesn't have ${width} hashes.`);
    }
    return hashesIn(bytes);
  };
  return async (from, width) => {
    const level = Math.floor(Math.log2(width) / 8);
    const first = from / TILE_WIDTH ** level;
    const tile = Math.floor(first / TILE_WIDTH);
    const inTile = tileWidth(size, level, tile);
    const path = tilePath(level, tile, inTile);
    const hashes = tiles.get(path) ?? read(path, inTile);
    tiles.set(path, hashes);
    const start = first % TILE_WIDTH;
    return treeHash((await hashes).slice(start, start + width / TILE_WIDTH ** level));
  };
}
