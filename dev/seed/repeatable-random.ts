import { createHash } from 'node:crypto';

/**
 * Replaces this process's random bytes by bytes that follow from `seed`, so that the same seed gives the same ids, keys
 * and salts. Only for the sample data: anybody can predict them.
 */
export function makeRandomRepeatable(seed: string): void {
  let count = 0;
  const nextBlock = () => createHash('sha256').update(`${seed} ${count++}`).digest();
  const fill = (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length; at += 32) bytes.set(nextBlock().subarray(0, bytes.length - at), at);
  };
  crypto.getRandomValues = (array) => {
    if (array === null) throw new TypeError('getRandomValues needs an array');
    fill(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    return array;
  };
}
