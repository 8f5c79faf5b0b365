import { createHash } from 'node:crypto';
import bs58 from 'bs58';

/** A blockhash is valid for this many blocks. */
export const MAX_BLOCKHASH_AGE = 150;

const REMEMBERED_HASHES = 2_000;

export type Blockhashes = ReturnType<typeof createBlockhashes>;

/**
 * Derives blockhashes from the ledger's seed and the block height, so they stay valid across a restart
 * without being stored.
 */
export function createBlockhashes(seed: string) {
  const heightByHash = new Map<string, number>();
  const hashByHeight = new Map<number, string>();

  function ofHeight(height: number): string {
    const known = hashByHeight.get(height);
    if (known !== undefined) return known;
    const hash = bs58.encode(createHash('sha256').update(`blockhash:${seed}:${height}`).digest());
    hashByHeight.set(height, hash);
    heightByHash.set(hash, height);
    if (hashByHeight.size > REMEMBERED_HASHES) {
      const [oldestHeight, oldestHash] = hashByHeight.entries().next().value ?? [height, hash];
      hashByHeight.delete(oldestHeight);
      heightByHash.delete(oldestHash);
    }
    return hash;
  }

  return {
    ofHeight,
    /** The block height of a blockhash that is still valid at `currentHeight`, else undefined. */
    findRecent(blockhash: string, currentHeight: number) {
      const oldest = Math.max(0, currentHeight - MAX_BLOCKHASH_AGE);
      // The hash is invalid or was issued before a restart. Compute the recent hashes to find out.
      if (!heightByHash.has(blockhash)) {
        for (let height = oldest; height <= currentHeight; height += 1) ofHeight(height);
      }
      const height = heightByHash.get(blockhash);
      return height !== undefined && height >= oldest && height <= currentHeight ? height : undefined;
    },
  };
}
