// Invented names and handles for the worlds of the benchmarks, always the same.
//
// Few names are common and most are rare, as in the frequencies that the U.S. Census Bureau has published
// (first names 1990, surnames 2000): the first name on place 1 has 3.3% of the men, that on place 10 has 1.4%, and
// that on place 100 has 0.2%; the surname on place 1 has 0.88% of the people, that on place 10 has 0.29%, and that
// on place 1,000 has 0.011%. The weights 1 / (place + shift) ** power come close to these figures.

export interface Person {
  readonly first: string;
  readonly last: string;
  /** At most 15 characters. No two persons have the same. */
  readonly handle: string;
}

interface Frequencies {
  readonly names: readonly string[];
  /** The sum of the weights up to each name. */
  readonly sums: Float64Array;
}

const STARTS =
  'a be ca da el fa ga ha i jo ka la ma na o pe ra sa ta ul ve wi ya ze bri cha dro fre gri kla mo pra sti tho';
const MIDDLES = 'ba li mo na ri se to vu lan der min ros tal ven wick gar bel dom fin har';
const ENDS_FIRST = 'a an ar e el en ia in is o on us y na ra la';
const ENDS_LAST =
  'by den ell er ford hart ham ings ius ko ley man mere mont ner ova quist sen son sky stone ston ton vale well wood worth';
const WORDS = 'alpha calls degen gems moon onchain sol solana trades whale';

const FIRST_NAMES = 2_000;
const LAST_NAMES = 50_000;
const LETTERS_OF_HANDLE = 11;
const SEED = 20_260_701;

/** Numbers from 0 up to 1 (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The people with the numbers from 0. A longer list starts with the same people. */
export function listPeople(count: number): Person[] {
  const random = createRandom(SEED);
  const pick = (parts: readonly string[]) => parts[Math.floor(random() * parts.length)] ?? '';
  const invent = (ends: string, size: number): string[] => {
    const names = new Set<string>();
    const [starts, middles, endings] = [STARTS, MIDDLES, ends].map((parts) => parts.split(' '));
    while (names.size < size) {
      // Common names are short.
      const syllables = 1 + Math.floor((3 * names.size) / size + random());
      const middle = Array.from({ length: syllables - 1 }, () => pick(middles ?? [])).join('');
      const name = `${pick(starts ?? [])}${middle}${pick(endings ?? [])}`;
      names.add(`${name.charAt(0).toUpperCase()}${name.slice(1)}`);
    }
    return [...names];
  };
  const firsts = weigh(invent(ENDS_FIRST, FIRST_NAMES), { shift: 7, power: 1.1 });
  const lasts = weigh(invent(ENDS_LAST, LAST_NAMES), { shift: 2.5, power: 0.8 });
  const words = WORDS.split(' ');
  const taken = new Map<string, number>();

  return Array.from({ length: count }, () => {
    const [first, last] = [draw(firsts, random()), draw(lasts, random())];
    const stems = [
      `${first}${last}`,
      `${first}_${last}`,
      `${first.charAt(0)}${last}`,
      `${first}_${pick(words)}`,
      `${last}${pick(words)}`,
    ];
    const stem = pick(stems).slice(0, LETTERS_OF_HANDLE);
    const key = stem.toLowerCase();
    // Stems end in a letter or an underscore, so a number after them makes a handle that nobody else has.
    const before = taken.get(key) ?? 0;
    taken.set(key, before + 1);
    return { first, last, handle: before === 0 ? stem : `${stem}${before + 1}` };
  });
}

function weigh(names: readonly string[], { shift, power }: { shift: number; power: number }): Frequencies {
  let sum = 0;
  const sums = Float64Array.from(names, (_, index) => (sum += 1 / (index + 1 + shift) ** power));
  return { names, sums };
}

/** The name at this share (0 up to 1) of all people. */
function draw({ names, sums }: Frequencies, share: number): string {
  const target = share * (sums.at(-1) ?? 0);
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] ?? 0) > target) high = middle;
    else low = middle + 1;
  }
  return names[low] ?? '';
}
