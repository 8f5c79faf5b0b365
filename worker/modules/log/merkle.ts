import { createHash } from 'node:crypto';
import { sha256 } from '../../shared/sha256.ts';

// Merkle trees of RFC 6962, stored as tiles (https://c2sp.org/tlog-tiles). Hashes are base64 strings.

export const TILE_WIDTH = 256;
/** The length of a hash in base64. */
export const HASH_LENGTH = 44;
const LEAF = new Uint8Array([0]);
const NODE = new Uint8Array([1]);

export const leafHash = (data: string): string => sha256(LEAF, data);

const nodeHash = (left: string, right: string): string =>
  createHash('sha256').update(NODE).update(left, 'base64').update(right, 'base64').digest('base64');

/** Indexes of leaves: from `start` up to, but not including, `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Returns the index at which RFC 6962 splits a range: its start plus the largest power of two below its width. */
function splitOf({ start, end }: Range): number {
  return start + 2 ** Math.floor(Math.log2(end - start - 1));
}

export function rootOf(hashes: readonly string[]): string {
  const [only = sha256('')] = hashes;
  if (hashes.length <= 1) return only;
  const split = splitOf({ start: 0, end: hashes.length });
  return nodeHash(rootOf(hashes.slice(0, split)), rootOf(hashes.slice(split)));
}

export const hashesOf = (data: string): string[] =>
  Array.from({ length: data.length / HASH_LENGTH }, (_, index) =>
    data.slice(index * HASH_LENGTH, (index + 1) * HASH_LENGTH),
  );

/** Returns the key of the tile that contains the hash with this index in its level: '{level}/{n}'. */
export const tileKey = (level: number, index: number): string => `${level}/${Math.floor(index / TILE_WIDTH)}`;

export type Tiles = ReadonlyMap<string, string>;

/** Returns the keys of a tree's partial tiles, which suffice to append leaves and to compute the root. */
export function edgeOf(size: number): string[] {
  const keys: string[] = [];
  for (let [level, hashes] = [0, size]; hashes > 0; level++) {
    if (hashes % TILE_WIDTH > 0) keys.push(tileKey(level, hashes));
    hashes = Math.floor(hashes / TILE_WIDTH);
  }
  return keys;
}

interface Growth {
  readonly size: number;
  readonly edge: Tiles;
  readonly leaves: readonly string[];
}

/** Returns the tiles that new leaves change, with all of their hashes. @throws if the edge isn't the tree's */
export function growTiles({ size, edge, leaves }: Growth): Map<string, string> {
  const grown = new Map<string, string>();
  const add = (level: number, index: number, hash: string): void => {
    const key = tileKey(level, index);
    const before = grown.get(key) ?? edge.get(key) ?? '';
    if (before.length !== (index % TILE_WIDTH) * HASH_LENGTH) throw new Error(`The tile ${key} doesn't fit`);
    const data = before + hash;
    grown.set(key, data);
    const isFull = (index + 1) % TILE_WIDTH === 0;
    if (isFull) add(level + 1, Math.floor(index / TILE_WIDTH), rootOf(hashesOf(data)));
  };
  for (const [offset, leaf] of leaves.entries()) add(0, size + offset, leaf);
  return grown;
}

export const tilesOf = (range: Range): string[] =>
  completeParts(range).map(({ level, first }) => tileKey(level, first));

/**
 * Computes RFC 6962's Merkle tree hash of a range that results from splitting a tree. `tiles` may be of a larger tree.
 * @throws if a tile is missing
 */
export function rangeHash(range: Range, tiles: Tiles): string {
  const hashes = completeParts(range).map(({ level, first, width }) => {
    const key = tileKey(level, first);
    const offset = first % TILE_WIDTH;
    const part = hashesOf(tiles.get(key) ?? '').slice(offset, offset + width);
    if (part.length !== width) throw new Error(`The tile ${key} is missing`);
    return rootOf(part);
  });
  return hashes.reduceRight((right, left) => nodeHash(left, right));
}

interface CompletePart {
  readonly level: number;
  readonly first: number;
  readonly width: number;
}

/** Splits a range into complete subtrees, from left to right. Their widths are descending powers of two. */
function completeParts({ start, end }: Range): CompletePart[] {
  const parts: CompletePart[] = [];
  for (let at = start; at < end;) {
    const leaves = 2 ** Math.floor(Math.log2(end - at));
    const level = Math.floor(Math.log2(leaves) / Math.log2(TILE_WIDTH));
    const unit = TILE_WIDTH ** level;
    parts.push({ level, first: at / unit, width: leaves / unit });
    at += leaves;
  }
  return parts;
}

/** Returns the ranges whose hashes prove that a tree begins with an older one (RFC 6962, section 2.1.2). */
export function consistencyRanges({ oldSize, size }: { oldSize: number; size: number }): Range[] {
  return oldSize === 0 ? [] : rangesFrom({ start: 0, end: size }, oldSize, true);
}

/** @param isKnown whether the verifier knows the hash of the range up to `border` */
function rangesFrom(range: Range, border: number, isKnown: boolean): Range[] {
  const { start, end } = range;
  if (border === end) return isKnown ? [] : [range];
  const split = splitOf(range);
  return border <= split
    ? [...rangesFrom({ start, end: split }, border, isKnown), { start: split, end }]
    : [...rangesFrom({ start: split, end }, border, false), { start, end: split }];
}
