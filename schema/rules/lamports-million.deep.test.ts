import { expect, it } from 'vitest';
import { MAX_FEE_LAMPORTS } from '#schema/constants.ts';
import { readMonthlyFee } from './fee-input.ts';
import { formatSol, formatSolForDisplay, parseSol, splitFee } from './lamports.ts';

const RANDOM_FEES = 1_000_000;
/** What has so many digits in lamports is no more than the highest fee. */
const FEE_DIGITS = 15;
/** Random amounts that no fee may have, though a text can: ten digits before the point, nine behind it. */
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

// What the rules should answer is worked out here on digits alone, as on paper: the rules calculate with bigints.

/** The shortest text in SOL. */
function solOnPaper(lamports: string): string {
  const digits = lamports.padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0*$/, '');
}

/** With zeros behind until there are four decimals. */
function shownOnPaper(sol: string): string {
  const [whole, decimals = ''] = sol.split('.');
  return `${whole}.${decimals}${'0000'.slice(decimals.length)}`;
}

/** A tenth, rounded down: everything but the last digit. */
function tenthOnPaper(lamports: string): string {
  return lamports.slice(0, -1) || '0';
}

function sumOnPaper(one: string, other: string): string {
  let sum = '';
  let carry = 0;
  for (let place = 1; place <= Math.max(one.length, other.length) || carry > 0; place++) {
    const digit = Number(one.at(-place) ?? 0) + Number(other.at(-place) ?? 0) + carry;
    sum = `${digit % 10}${sum}`;
    carry = digit > 9 ? 1 : 0;
  }
  return sum;
}

/** Random whole numbers below a bound, the same ones in every run (mulberry32). */
function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) % sides;
  };
}

type Dice = ReturnType<typeof createDice>;

/** An amount of any length, more often long than short (there are few short ones), sometimes round: its digits in lamports. */
function rollFee(roll: Dice): string {
  return rollDigits(1 + Math.max(roll(FEE_DIGITS), roll(FEE_DIGITS)), roll);
}

function rollDigits(length: number, roll: Dice): string {
  const zeros = roll(3) === 0 ? roll(length) : 0;
  let digits = String(1 + roll(9));
  while (digits.length < length - zeros) digits += roll(10);
  return digits.padEnd(length, '0');
}

/** Ways to spoil the text of an amount: none leaves a plain decimal. */
const SPOILERS = {
  sign: (text, roll) => `${pick('-+', roll)}${text}`,
  exponent: (text, roll) => `${text}${pick('eE', roll)}${['', '+', '-'][roll(3)]}${roll(10)}`,
  stranger: (text, roll) =>
    insert({ text, at: roll(text.length + 1), what: pick(' \t\n\u00a0_,nx\u0661', roll) }),
  'tenth decimal': (text, roll) => {
    const pointed = text.includes('.') ? text : `${text}.`;
    return `${pointed.padEnd(pointed.indexOf('.') + 10, '0')}${roll(10)}`;
  },
  'leading zero': (text) => `0${text}`,
  'trailing point': (text) => `${text}.`,
  'leading point': (text) => `.${text.replace(/^\d+\.?/, '')}`,
  'eleven digits': (text) => `1${text.replace(/^\d+/, (whole) => whole.padStart(10, '0'))}`,
} satisfies Record<string, (text: string, roll: Dice) => string>;

function pick(characters: string, roll: Dice): string {
  return characters.charAt(roll(characters.length));
}

function insert({ text, at, what }: { text: string; at: number; what: string }): string {
  return text.slice(0, at) + what + text.slice(at);
}

it(
  '[9.6] reads, splits and writes back 1,000,000 random fees exactly, and refuses each of them spoiled',
  { timeout: 120_000 },
  () => {
    const roll = createDice(20_231_109);
    const spoilers = Object.entries(SPOILERS);
    const wrong: string[] = [];
    let amounts = 0;
    let fees = 0;
    let refusals = 0;
    // An `expect` for each of ten million comparisons would take a minute.
    const expectSame = (what: string, found: unknown, expected: unknown) => {
      if (found !== expected && wrong.length < 20) {
        wrong.push(`${what}: ${String(found)} instead of ${String(expected)}`);
      }
    };
    const check = (lamports: string) => {
      const amount = BigInt(lamports);
      const text = formatSol(amount);
      expectSame(`formatSol of ${lamports}`, text, solOnPaper(lamports));
      expectSame(`parseSol of ${text}`, parseSol(text), amount);
      const shown = formatSolForDisplay(amount);
      expectSame(`parseSol of ${shown}`, parseSol(shown), amount);
      expectSame(`formatSolForDisplay of ${lamports}`, shown, shownOnPaper(text));
      const { totalLamports, callerLamports, platformLamports } = splitFee(amount);
      expectSame(`total of ${lamports}`, totalLamports, amount);
      expectSame(`the platform's part of ${lamports}`, platformLamports.toString(), tenthOnPaper(lamports));
      expectSame(
        `the sum of the parts of ${lamports}`,
        sumOnPaper(callerLamports.toString(), platformLamports.toString()),
        lamports,
      );
      amounts += 1;
      const isFee = amount > 0n && amount <= MAX_FEE_LAMPORTS;
      const problem = amount === 0n ? 'below_minimum' : 'too_high';
      expectSame(`readMonthlyFee of ${text}`, readMonthlyFee(text), isFee ? amount : problem);
      if (isFee) fees += 1;
      const spoiler = spoilers[amounts % spoilers.length];
      if (spoiler) {
        const [name, spoil] = spoiler;
        const spoiled = spoil(text, roll);
        expectSame(`parseSol of ${JSON.stringify(spoiled)} (${name})`, parseSol(spoiled), null);
        refusals += 1;
      }
    };

    for (const edge of EDGES) check(edge.toString());
    const edgeFees = fees;
    for (let number = 0; number < RANDOM_FEES; number++) check(rollFee(roll));
    expect(fees - edgeFees).toBe(RANDOM_FEES);
    for (let number = 0; number < RANDOM_LARGER; number++) {
      check(rollDigits(FEE_DIGITS + 1 + roll(MOST_DIGITS - FEE_DIGITS), roll));
    }

    expect(wrong).toEqual([]);
    expect(amounts).toBe(EDGES.length + RANDOM_FEES + RANDOM_LARGER);
    expect(refusals).toBe(amounts);
  },
);
