import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { expect, it } from 'vitest';
import { MAX_FEE_LAMPORTS, MIN_FEE_LAMPORTS } from '#schema/constants.ts';
import { readMonthlyFee } from './fee-input.ts';
import { formatSol, formatSolForDisplay, parseSol, splitFee } from './lamports.ts';

const RANDOM_FEES = 1_000_000;
/** All amounts with at most this many digits are below the highest fee. */
const FEE_DIGITS = 15;
/**
 * The number of random amounts above the highest fee. Their texts have up to 19 digits: ten before the point
 * and nine after it.
 */
const RANDOM_LARGER = 100_000;
const MOST_DIGITS = 19;
const EDGES = [
  0n,
  1n,
  9n,
  10n,
  11n,
  99n,
  100n,
  ...[10n ** 9n, 2n ** 53n, MAX_FEE_LAMPORTS].flatMap((edge) => [edge - 1n, edge, edge + 1n]),
  10n ** 19n - 1n,
];

// Expected results are computed on decimal digits, because the rules use bigints. A tenth drops the last
// digit.

function expectedSol(lamports: string): string {
  const digits = lamports.padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0*$/, '');
}

function expectedDisplay(sol: string): string {
  const [whole, decimals = ''] = sol.split('.');
  return `${whole}.${decimals}${'0000'.slice(decimals.length)}`;
}

function expectedPlatformPart(lamports: string): string {
  return lamports.slice(0, -1) || '0';
}

function addDigits(one: string, other: string): string {
  let sum = '';
  let carry = 0;
  for (let place = 1; place <= Math.max(one.length, other.length) || carry > 0; place++) {
    const digit = Number(one.at(-place) ?? 0) + Number(other.at(-place) ?? 0) + carry;
    sum = `${digit % 10}${sum}`;
    carry = digit > 9 ? 1 : 0;
  }
  return sum;
}

/**
 * Returns a function that returns random whole numbers from 0 to below `bound`. They are the same in every
 * run.
 */
function createRandom(seed: number): (bound: number) => number {
  const generator = xoroshiro128plus(seed);
  return (bound) => uniformInt(generator, 0, bound - 1);
}

type Random = ReturnType<typeof createRandom>;

/**
 * Returns the digits of a random fee in lamports, of at least two digits (`MIN_FEE_LAMPORTS`). Long amounts are more
 * frequent than short ones, and some amounts are round.
 */
function randomFee(random: Random): string {
  return randomDigits(2 + Math.max(random(FEE_DIGITS - 1), random(FEE_DIGITS - 1)), random);
}

function randomDigits(length: number, random: Random): string {
  const zeros = random(3) === 0 ? random(length) : 0;
  let digits = String(1 + random(9));
  while (digits.length < length - zeros) digits += random(10);
  return digits.padEnd(length, '0');
}

/** Functions that turn the text of an amount into an invalid text. */
const CORRUPTIONS = {
  sign: (text, random) => `${pick('-+', random)}${text}`,
  exponent: (text, random) => `${text}${pick('eE', random)}${['', '+', '-'][random(3)]}${random(10)}`,
  'foreign character': (text, random) =>
    insert({ text, at: random(text.length + 1), character: pick(' \t\n\u00a0_,nx\u0661', random) }),
  'tenth decimal': (text, random) => {
    const pointed = text.includes('.') ? text : `${text}.`;
    return `${pointed.padEnd(pointed.indexOf('.') + 10, '0')}${random(10)}`;
  },
  'leading zero': (text) => `0${text}`,
  'trailing point': (text) => `${text}.`,
  'leading point': (text) => `.${text.replace(/^\d+\.?/, '')}`,
} satisfies Record<string, (text: string, random: Random) => string>;

function pick(characters: string, random: Random): string {
  return characters.charAt(random(characters.length));
}

function insert({ text, at, character }: { text: string; at: number; character: string }): string {
  return text.slice(0, at) + character + text.slice(at);
}

// Specification 9.6
it(
  'reads, splits and writes back 1,000,000 random fees exactly, and refuses a corrupted form of each',
  { timeout: 120_000 },
  () => {
    const random = createRandom(20_231_109);
    const corruptions = Object.entries(CORRUPTIONS);
    const wrong: string[] = [];
    let amounts = 0;
    let fees = 0;
    let refusals = 0;
    // Compares without `expect`, because ten million calls of it would take a minute.
    const expectSame = (label: string, found: unknown, expected: unknown) => {
      if (found !== expected && wrong.length < 20) {
        wrong.push(`${label}: ${String(found)} instead of ${String(expected)}`);
      }
    };
    const check = (lamports: string) => {
      const amount = BigInt(lamports);
      const text = formatSol(amount);
      expectSame(`formatSol of ${lamports}`, text, expectedSol(lamports));
      expectSame(`parseSol of ${text}`, parseSol(text), amount);
      const shown = formatSolForDisplay(amount);
      expectSame(`parseSol of ${shown}`, parseSol(shown), amount);
      expectSame(`formatSolForDisplay of ${lamports}`, shown, expectedDisplay(text));
      const { totalLamports, callerLamports, platformLamports } = splitFee(amount);
      expectSame(`total of ${lamports}`, totalLamports, amount);
      expectSame(
        `the platform's part of ${lamports}`,
        platformLamports.toString(),
        expectedPlatformPart(lamports),
      );
      expectSame(
        `the sum of the parts of ${lamports}`,
        addDigits(callerLamports.toString(), platformLamports.toString()),
        lamports,
      );
      amounts += 1;
      const isFee = amount >= MIN_FEE_LAMPORTS && amount <= MAX_FEE_LAMPORTS;
      const tooLow = amount === 0n ? 'below_minimum' : 'too_low';
      const problem = amount < MIN_FEE_LAMPORTS ? tooLow : 'too_high';
      expectSame(`readMonthlyFee of ${text}`, readMonthlyFee(text), isFee ? amount : problem);
      if (isFee) fees += 1;
      const elevenDigits = `1${text.replace(/^\d+/, (whole) => whole.padStart(10, '0'))}`;
      expectSame(`readMonthlyFee of ${elevenDigits}`, readMonthlyFee(elevenDigits), 'too_high');
      const corruption = corruptions[amounts % corruptions.length];
      if (corruption) {
        const [name, corrupt] = corruption;
        const corrupted = corrupt(text, random);
        expectSame(`parseSol of ${JSON.stringify(corrupted)} (${name})`, parseSol(corrupted), null);
        refusals += 1;
      }
    };

    for (const edge of EDGES) check(edge.toString());
    const edgeFees = fees;
    for (let number = 0; number < RANDOM_FEES; number++) check(randomFee(random));
    expect(fees - edgeFees).toBe(RANDOM_FEES);
    for (let number = 0; number < RANDOM_LARGER; number++) {
      check(randomDigits(FEE_DIGITS + 1 + random(MOST_DIGITS - FEE_DIGITS), random));
    }

    expect(wrong).toEqual([]);
    expect(amounts).toBe(EDGES.length + RANDOM_FEES + RANDOM_LARGER);
    expect(refusals).toBe(amounts);
  },
);
