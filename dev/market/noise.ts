/** A 32-bit hash of a string (FNV-1a with a final avalanche), the same on every machine. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return avalanche(hash);
}

/** A number in [0, 1) derived from the text. */
export function unitFrom(text: string): number {
  return hashText(text) / 0x1_0000_0000;
}

export function pickFrom<T>(items: readonly T[], text: string): T {
  const item = items[hashText(text) % items.length];
  if (item === undefined) throw new Error('pickFrom needs a list with at least one item');
  return item;
}

/**
 * Value noise in [-1, 1]: a random height at each whole `position`, with a smooth curve between them. Its
 * slope never exceeds 3 per unit.
 */
export function valueNoise({ key, position }: { key: number; position: number }): number {
  const left = Math.floor(position);
  const within = position - left;
  const eased = within * within * (3 - 2 * within);
  const from = latticeHeight(key, left);
  return from + (latticeHeight(key, left + 1) - from) * eased;
}

function latticeHeight(key: number, index: number): number {
  const mixed = avalanche(avalanche(key ^ Math.imul(index, 0x9e3779b1)) ^ index);
  return (mixed / 0xffff_ffff) * 2 - 1;
}

function avalanche(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
