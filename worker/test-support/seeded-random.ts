/** A number in [0, 1) that depends only on `words`. */
export function seededShare(...words: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const character of words.join(' ')) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** Numbers in [0, 1), the same for the same seed. */
export function seededRandom(seed: string): () => number {
  let asked = 0;
  return () => seededShare(seed, (asked += 1));
}
