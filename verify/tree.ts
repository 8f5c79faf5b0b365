import { base64, sha256, type Bytes } from './bytes.ts';

// RFC 6962, section 2.1: Merkle trees.

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

export const leafHash = (data: Uint8Array): Bytes => sha256(LEAF, data);
const nodeHash = (left: Uint8Array, right: Uint8Array): Bytes => sha256(NODE, left, right);

/** A tree that grows, and knows its root at every size. */
export class Tree {
  /** The hashes of all complete subtrees, by the logarithm of their size. */
  readonly #levels: Bytes[][] = [[]];
  readonly #roots = new Map<number, string>();

  get size(): number {
    return this.#levels[0]?.length ?? 0;
  }

  append(leaf: Bytes): void {
    let hash = leaf;
    for (let level = 0; ; level += 1) {
      const hashes = (this.#levels[level] ??= []);
      hashes.push(hash);
      const left = hashes.at(-2);
      if (hashes.length % 2 === 1 || left === undefined) return;
      hash = nodeHash(left, hash);
    }
  }

  /** The hash of a leaf. @throws RangeError if there is none */
  leaf(index: number): Bytes {
    const hash = this.#levels[0]?.[index];
    if (hash === undefined) throw new RangeError(`The tree has no leaf ${index}.`);
    return hash;
  }

  /** The root in base64 of the first `size` leaves. Null if there are fewer. */
  rootAt(size: number): string | null {
    if (size > this.size) return null;
    const known = this.#roots.get(size);
    if (known !== undefined) return known;
    let hash: Bytes | null = null;
    for (let level = 0; 2 ** level <= size; level += 1) {
      const complete = Math.floor(size / 2 ** level);
      if (complete % 2 === 0) continue;
      const subtree = this.#levels[level]?.[complete - 1] ?? LEAF;
      hash = hash === null ? subtree : nodeHash(subtree, hash);
    }
    const root = base64(hash ?? sha256());
    this.#roots.set(size, root);
    return root;
  }
}
