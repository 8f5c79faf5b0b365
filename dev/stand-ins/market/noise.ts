import { createHash } from 'node:crypto';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { congruential32 } from 'pure-rand/generator/congruential32';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { skipN } from 'pure-rand/utils/skipN';

/** Number of outputs to skip, because the first outputs of similar seeds are similar. */
const SIMILAR_OUTPUTS = 20;

/** A 32-bit hash of a text, the same on every machine. */
export function hashText(text: string): number {
  return Buffer.from(createHash('sha256').update(text).digest('base64'), 'base64').readUInt32LE();
}

/** A number in [0, 1) derived from the text. */
export function hashToUnit(text: string): number {
  return hashText(text) / 0x1_0000_0000;
}

/** Picks an item by the text's hash, so the same text always picks the same item. */
export function pickFrom<T>(items: readonly T[], text: string): T {
  const item = items[hashText(text) % items.length];
  if (item === undefined) throw new Error('pickFrom needs a list with at least one item');
  return item;
}

/**
 * Returns value noise from -1 to 1. There is a random height at each whole `position`, with a smooth curve
 * between them. The slope never exceeds 3 per unit.
 */
export function valueNoise({ key, position }: { key: number; position: number }): number {
  const left = Math.floor(position);
  const within = position - left;
  const eased = within * within * (3 - 2 * within);
  const from = latticeHeight(key, left);
  return from + (latticeHeight(key, left + 1) - from) * eased;
}

function latticeHeight(key: number, index: number): number {
  // Similar seeds of xoroshiro128plus give correlated heights, so mix the seed first.
  const generator = xoroshiro128plus(congruential32(key + index).next());
  skipN(generator, SIMILAR_OUTPUTS);
  return uniformFloat64(generator) * 2 - 1;
}
