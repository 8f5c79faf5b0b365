import { sha256, type Bytes } from './bytes.ts';
import { Problem } from './report.ts';

// RFC 6962, section 2.1: Merkle trees.

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

export const leafHash = (data: Bytes): Promise<Bytes> => sha256(LEAF, data);

type Hash = Bytes | Promise<Bytes>;

export async function nodeHash(left: Hash, right: Hash): Promise<Bytes> {
  const [one, other] = await Promise.all([left, right]);
  return sha256(NODE, one, other);
}

/** Returns the largest power of two below the size. */
function splitOf(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

/** Returns the hash of a tree from the hashes of its leaves, or of subtrees of one size. */
export async function treeHash(hashes: readonly Bytes[]): Promise<Bytes> {
  const [first] = hashes;
  if (first === undefined) return sha256();
  if (hashes.length === 1) return first;
  const midpoint = splitOf(hashes.length);
  return nodeHash(treeHash(hashes.slice(0, midpoint)), treeHash(hashes.slice(midpoint)));
}

export interface Leaf {
  readonly index: number;
  readonly hash: Bytes;
}

interface ProofOfLeaves {
  readonly size: number;
  /** Sorted by index, without duplicates. */
  readonly leaves: readonly Leaf[];
  readonly proof: readonly Bytes[];
}

/**
 * Returns the root of the tree that has these leaves, from one proof for all of them (docs/SEALED-CALLS.md).
 * @throws Problem if the proof has too few or too many hashes
 */
export async function rootOfLeaves({ size, leaves, proof }: ProofOfLeaves): Promise<Bytes> {
  let used = 0;
  let isInPlace = true;
  // Each call takes its hashes before it returns, so the proof is read from left to right.
  const rangeHash = (from: number, to: number, wanted: readonly Leaf[]): Hash => {
    const [first] = wanted;
    if (first === undefined) return proof[used++] ?? NODE;
    if (to - from === 1) {
      isInPlace &&= wanted.length === 1 && first.index === from;
      return first.hash;
    }
    const midpoint = from + splitOf(to - from);
    const inRight = wanted.findIndex(({ index }) => index >= midpoint);
    const border = inRight < 0 ? wanted.length : inRight;
    const left = rangeHash(from, midpoint, wanted.slice(0, border));
    return nodeHash(left, rangeHash(midpoint, to, wanted.slice(border)));
  };
  const root = await rangeHash(0, size, leaves);
  if (!isInPlace) throw new Problem('not_in_log', 'Two entries have one place, or one is beyond the end.');
  if (used === proof.length) return root;
  throw new Problem('not_in_log', `The proof has ${proof.length} hashes instead of ${used}.`);
}

/** Returns the root from an audit path in a tree whose size is a power of two. */
export async function rootOfPath(leaf: Leaf, path: readonly Bytes[]): Promise<Bytes> {
  let { index, hash } = leaf;
  for (const sibling of path) {
    hash = await (index % 2 === 0 ? nodeHash(hash, sibling) : nodeHash(sibling, hash));
    index = Math.floor(index / 2);
  }
  return hash;
}

/** Returns the hash of the `width` leaves from `from` on. The width is a power of two that divides `from`. */
export type SubtreeHash = (from: number, width: number) => Promise<Bytes>;

/**
 * Returns the roots of a tree and of its beginning. Both are computed from the same subtrees, like in a
 * consistency proof (section 2.1.2): if both roots are right, the old tree is the beginning of the new one.
 */
export async function rootsOf(
  { oldSize, size }: { readonly oldSize: number; readonly size: number },
  subtree: SubtreeHash,
): Promise<{ oldRoot: Bytes; root: Bytes }> {
  const hashOf = (from: number, to: number): Promise<Bytes> => {
    const isSubtree = Number.isInteger(Math.log2(to - from)) && (to <= oldSize || from >= oldSize);
    if (isSubtree) return subtree(from, to - from);
    const midpoint = from + splitOf(to - from);
    return nodeHash(hashOf(from, midpoint), hashOf(midpoint, to));
  };
  const [oldRoot, root] = await Promise.all([
    oldSize === 0 ? treeHash([]) : hashOf(0, oldSize),
    hashOf(0, size),
  ]);
  return { oldRoot, root };
}
