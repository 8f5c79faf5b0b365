import { createHash } from 'node:crypto';

export interface Tree {
  readonly size: number;
  /** Base64. */
  readonly root: string;
}

const NODE = Uint8Array.of(1);

const nodeHash = (left: Buffer, right: Buffer): Buffer =>
  createHash('sha256').update(NODE).update(left).update(right).digest();

export const EMPTY_ROOT = createHash('sha256').digest('base64');

/**
 * Whether the proof shows that the newer tree begins with the older one (RFC 9162, section 2.1.4.2, which verifies the
 * proofs of RFC 6962).
 */
export function isConsistent(older: Tree, newer: Tree, proof: readonly string[]): boolean {
  if (older.size === newer.size) return proof.length === 0 && older.root === newer.root;
  if (older.size === 0) return proof.length === 0 && older.root === EMPTY_ROOT;
  let [fn, sn] = [BigInt(older.size) - 1n, BigInt(newer.size) - 1n];
  const isOdd = (number: bigint) => number % 2n === 1n;
  while (isOdd(fn)) [fn, sn] = [fn / 2n, sn / 2n];
  // If the older tree is complete, its root is the first hash.
  const hashes = (fn === 0n ? [older.root, ...proof] : proof).map((hash) => Buffer.from(hash, 'base64'));
  const [first, ...rest] = hashes;
  if (first === undefined || proof.length === 0) return false;
  let olderRoot: Buffer = first;
  let newerRoot: Buffer = first;
  for (const hash of rest) {
    if (sn === 0n) return false;
    if (isOdd(fn) || fn === sn) {
      olderRoot = nodeHash(hash, olderRoot);
      newerRoot = nodeHash(hash, newerRoot);
      while (!isOdd(fn) && fn !== 0n) [fn, sn] = [fn / 2n, sn / 2n];
    } else {
      newerRoot = nodeHash(newerRoot, hash);
    }
    [fn, sn] = [fn / 2n, sn / 2n];
  }
  return (
    sn === 0n && olderRoot.toString('base64') === older.root && newerRoot.toString('base64') === newer.root
  );
}
