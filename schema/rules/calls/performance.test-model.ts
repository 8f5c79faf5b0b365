import fc from 'fast-check';
import { DAY_MS } from '#schema/constants/time.ts';
import { meanOf, subtract, read, sumOf, divide, multiply, type Fraction } from './fraction.test-model.ts';
import type { describeEndedCalls } from './performance.ts';

// A model for tests: computes the statistics from their definitions, in exact fractions. Shares no code with
// the rules.

export interface NaiveCall {
  readonly entryPrice: string;
  readonly endPrice: string;
  readonly peakPrice: string | null;
  /** Unix ms. */
  readonly endedAt: number;
  readonly isRanked: boolean;
  /** False for a call whose gain counts as 0%. A loss counts in any case. */
  readonly doesGainCount: boolean;
}

const DIGITS = 25;
const isAbove = (one: Fraction, other: Fraction) => subtract(one, other).numerator > 0n;
const asPercentChange = (multiple: Fraction) => multiply(subtract(multiple, read(1)), read(100));
const ratio = (one: string, other: string) => divide(read(one), read(other));

/** Converts a fraction to the nearest double through its decimal digits. */
function toNumber({ numerator, denominator }: Fraction): number {
  const digits = ((numerator < 0n ? -numerator : numerator) * 10n ** BigInt(DIGITS)) / denominator;
  const text = digits.toString().padStart(DIGITS + 1, '0');
  return Number(`${numerator < 0n ? '-' : ''}${text.slice(0, -DIGITS)}.${text.slice(-DIGITS)}`);
}

const percentOf = (count: number, all: number) => toNumber(divide(read(100 * count), read(all)));

function naiveProfitFactor(changes: readonly Fraction[]): number | null {
  const gains = sumOf(changes.filter(({ numerator }) => numerator > 0n));
  const losses = sumOf(changes.filter(({ numerator }) => numerator < 0n));
  return losses.numerator === 0n ? null : toNumber(divide(gains, subtract(read(0), losses)));
}

/**
 * Returns the ranked calls as the statistics count them. If a gain doesn't count, the end price is the entry
 * price.
 */
function countedCalls(history: readonly NaiveCall[]): NaiveCall[] {
  const counted: NaiveCall[] = [];
  for (const call of history) {
    if (!call.isRanked) continue;
    const isUncounted = !call.doesGainCount && isAbove(read(call.endPrice), read(call.entryPrice));
    counted.push(isUncounted ? { ...call, endPrice: call.entryPrice, peakPrice: null } : call);
  }
  return counted;
}

/** The specification's win rate and average return, over the ended ranked calls. A change counts at most +200%. */
export function naiveSpecFigures(history: readonly NaiveCall[]): {
  winRate: number | null;
  avgReturn: number | null;
} {
  const calls = countedCalls(history);
  if (calls.length === 0) return { winRate: null, avgReturn: null };
  const three = read(3);
  const won = calls.filter(({ entryPrice, endPrice }) => isAbove(read(endPrice), read(entryPrice)));
  return {
    winRate: percentOf(won.length, calls.length),
    avgReturn: toNumber(
      meanOf(
        calls.map(({ entryPrice, endPrice }) => {
          const multiple = ratio(endPrice, entryPrice);
          return asPercentChange(isAbove(multiple, three) ? three : multiple);
        }),
      ),
    ),
  };
}

/**
 * Computes the statistics of the calls that ended in the `days` before `now`, or of all calls. Pass the
 * calls in the order in which they ended.
 */
export function naiveStatistics(
  history: readonly NaiveCall[],
  { days, now }: { days: number | null; now: number },
): ReturnType<typeof describeEndedCalls> {
  const calls = countedCalls(history).filter(
    ({ endedAt }) => days === null || now - endedAt <= days * DAY_MS,
  );
  const count = calls.length;
  if (count === 0) {
    return {
      endedCalls: 0,
      meanReturn: null,
      medianReturn: null,
      bestReturn: null,
      worstReturn: null,
      shareOfDoubledCalls: null,
      profitFactor: null,
      averagePeakMultiple: null,
      followedCalls: 0,
    };
  }
  const multiples = calls.map(({ entryPrice, endPrice }) => ratio(endPrice, entryPrice));
  const [one, two] = [read(1), read(2)];
  const ascending = [...multiples];
  ascending.sort((a, b) => Number(isAbove(a, b)) - Number(isAbove(b, a)));
  const changes = ascending.map(asPercentChange);
  const median = count % 2 === 1 ? [changes[(count - 1) / 2]] : [changes[count / 2 - 1], changes[count / 2]];
  const peaks = calls.flatMap(({ entryPrice, peakPrice }) =>
    peakPrice === null ? [] : [ratio(peakPrice, entryPrice)],
  );
  return {
    endedCalls: count,
    meanReturn: toNumber(meanOf(changes)),
    medianReturn: toNumber(meanOf(median as Fraction[])),
    bestReturn: toNumber(changes.at(-1) as Fraction),
    worstReturn: toNumber(changes[0] as Fraction),
    shareOfDoubledCalls: percentOf(multiples.filter((multiple) => !isAbove(two, multiple)).length, count),
    profitFactor: naiveProfitFactor(changes),
    averagePeakMultiple:
      peaks.length === 0 ? null : toNumber(meanOf(peaks.map((peak) => (isAbove(one, peak) ? one : peak)))),
    followedCalls: peaks.length,
  };
}

/** Writes `digits` × 10^`exponent` as a plain decimal without trailing zeros. */
function decimal(digits: bigint, exponent: number): string {
  if (exponent >= 0) return String(digits * 10n ** BigInt(exponent));
  const text = String(digits).padStart(1 - exponent, '0');
  return `${text.slice(0, exponent)}.${text.slice(exponent)}`.replace(/\.?0+$/, '');
}

/**
 * Generates a call's prices. The entry is from 0.000000000001 to 999,990, and the end up to a million times the entry.
 */
const prices = fc
  .record({
    digits: fc.bigInt({ min: 1n, max: 99_999n }),
    exponent: fc.integer({ min: -12, max: 1 }),
    // The end in thousandths of the entry price. Includes the limits of winning and doubling, and whole
    // tenths of a percent, whose means can lie halfway between two shown decimals. The end is 0 if the token
    // has lost its price.
    end: fc.oneof(
      fc.constantFrom(1_000n, 2_000n, 1_999n, 500n, 1n, 0n),
      fc.bigInt({ min: 1n, max: 4_000n }),
      fc.bigInt({ min: 1n, max: 1_000_000_000n }),
    ),
    peak: fc.option(fc.bigInt({ min: 1n, max: 20_000n })),
  })
  .map(({ digits, exponent, end, peak }) => ({
    entryPrice: decimal(digits, exponent),
    endPrice: decimal(digits * end, exponent - 3),
    peakPrice: peak === null ? null : decimal(digits * peak, exponent - 3),
  }));

/**
 * Generates random histories before `now`, in the order in which the calls ended. No two calls end at the
 * same time.
 */
export const naiveHistory = ({ now, maxCalls }: { now: number; maxCalls: number }) =>
  fc
    .array(
      fc.tuple(
        prices,
        fc.oneof(
          { weight: 9, arbitrary: fc.integer({ min: 0, max: 120 * DAY_MS }) },
          {
            weight: 1,
            arbitrary: fc.constantFrom(30 * DAY_MS, 90 * DAY_MS, 30 * DAY_MS + 1, 90 * DAY_MS + 1),
          },
        ),
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 0, max: 3 }),
      ),
      { maxLength: maxCalls },
    )
    .map((drawn): NaiveCall[] => {
      const byEnd = new Map(
        drawn.map(([call, age, isRanked, isRankedToo, quarter]) => [
          now - age,
          { ...call, endedAt: now - age, isRanked: isRanked || isRankedToo, doesGainCount: quarter > 0 },
        ]),
      );
      return [...byEnd.values()].toSorted((one, other) => one.endedAt - other.endedAt);
    });
