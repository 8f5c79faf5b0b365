import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { skipN } from 'pure-rand/utils/skipN';

/** Random choices. The same seed gives the same choices. */
export interface Random {
  /** Returns a number in [0, 1). */
  share(): number;
  /** Returns an integer from `least` to `most`, both included. */
  between(least: number, most: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

export function createRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  skipN(generator, SKIPPED);
  const between = (least: number, most: number) => uniformInt(generator, least, most);
  return {
    share: () => uniformFloat64(generator),
    between,
    pick: (items) => {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new Error('Nothing to pick from');
      return item;
    },
  };
}

/** A number in [0, 1) that depends only on the arguments, not on earlier calls. */
export function seededShare(...words: readonly (string | number)[]): number {
  return createRandom(seedFrom(words.join(' '))).share();
}

/** How many numbers to skip, because the first numbers of similar seeds are similar. */
const SKIPPED = 4;

function seedFrom(text: string): number {
  let seed = text.length;
  for (const character of text) {
    const generator = xoroshiro128plus(seed ^ (character.codePointAt(0) ?? 0));
    skipN(generator, SKIPPED);
    seed = generator.next();
  }
  return seed;
}
