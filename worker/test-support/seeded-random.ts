import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { skipN } from 'pure-rand/utils/skipN';

/** Random choices that are the same for the same seed. */
export interface Random {
  /** From 0 up to but not including 1. */
  share(): number;
  /** A whole number, both bounds included. */
  between(least: number, most: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

export function createRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  skipN(generator, UNMIXED);
  const between = (least: number, most: number) => uniformInt(generator, least, most);
  return {
    share: () => uniformFloat64(generator),
    between,
    pick: (items) => {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new Error('There is nothing to pick from.');
      return item;
    },
  };
}

/** From 0 up to but not including 1: the same for the same words, in whatever order they are asked for. */
export function seededShare(...words: readonly (string | number)[]): number {
  return createRandom(seedFrom(words.join(' '))).share();
}

/** Numbers from 0 up to but not including 1, the same for the same seed. */
export function seededRandom(seed: string): () => number {
  return createRandom(seedFrom(seed)).share;
}

/** The first numbers of seeds that differ little differ little, too. */
const UNMIXED = 4;

function seedFrom(text: string): number {
  let seed = text.length;
  for (const character of text) {
    const generator = xoroshiro128plus(seed ^ (character.codePointAt(0) ?? 0));
    skipN(generator, UNMIXED);
    seed = generator.next();
  }
  return seed;
}
