import type { MarkPrice } from './follower-return.ts';

// A model for tests: computes follower returns from their definition, in exact fractions. Shares no code with
// the rules.

interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

/** A price as a source saw it at `seenAt` (unix ms), in the order in which the product saw them. */
export interface NaiveSighting extends MarkPrice {
  readonly seenAt: number;
}

function read(value: string | number): Fraction {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const [whole = '', decimals = ''] = digits.split('.');
  const over = BigInt(whole + decimals);
  const places = BigInt(decimals.length) - BigInt(exponent);
  return places < 0n ? { over: over * 10n ** -places, under: 1n } : { over, under: 10n ** places };
}

const times = (one: Fraction, other: Fraction): Fraction => ({
  over: one.over * other.over,
  under: one.under * other.under,
});
const through = (one: Fraction, { over, under }: Fraction): Fraction =>
  times(one, { over: under, under: over });
const plus = (one: Fraction, other: Fraction): Fraction => ({
  over: one.over * other.under + other.over * one.under,
  under: one.under * other.under,
});
const minus = (one: Fraction, { over, under }: Fraction): Fraction => plus(one, { over: -over, under });

/** Rounds a fraction to the nearest whole number. A half is rounded up. */
function rounded({ over, under }: Fraction): number {
  const [doubled, double] = [2n * over + under, 2n * under];
  const cut = doubled / double;
  return Number(doubled % double < 0n ? cut - 1n : cut);
}

/** The output of a swap: the product of the two reserves stays the same, after 0.3% of the input. */
function swap({ input, reserveIn, reserveOut }: Record<'input' | 'reserveIn' | 'reserveOut', Fraction>) {
  const added = times(input, read('0.997'));
  const product = times(reserveIn, reserveOut);
  return minus(reserveOut, through(product, plus(reserveIn, added)));
}

/** Returns the follower return in millionths of the stake; null if a price or liquidity is unknown. */
export function naiveReturnPpm(
  entry: MarkPrice | undefined,
  end: MarkPrice | undefined,
  stakeUsd: number,
): number | null {
  if (!entry?.liquidityUsd || !end?.liquidityUsd) return null;
  const pools = [entry, end].map(({ price, liquidityUsd }) => {
    const usd = through(read(liquidityUsd ?? 0), read(2));
    return { usd, tokens: through(usd, read(price)) };
  });
  const [buying, selling] = pools as [(typeof pools)[number], (typeof pools)[number]];
  const stake = read(stakeUsd);
  const tokens = swap({ input: stake, reserveIn: buying.usd, reserveOut: buying.tokens });
  const proceeds = swap({ input: tokens, reserveIn: selling.tokens, reserveOut: selling.usd });
  return rounded(times(through(minus(proceeds, stake), stake), read(1_000_000)));
}

/** Returns the first sighting within 90 seconds from the due time. */
export function naiveMark(sightings: readonly NaiveSighting[], dueAt: number): NaiveSighting | undefined {
  return sightings.find(({ seenAt }) => seenAt >= dueAt && seenAt <= dueAt + 90_000);
}

/** Limits a return to the counted change (end / entry - 1), in millionths. */
export function naiveCountedPpm(ppm: number, prices: { entryPrice: string; endPrice: string }): number {
  const change = minus(through(read(prices.endPrice), read(prices.entryPrice)), read(1));
  return Math.min(ppm, rounded(times(change, read(1_000_000))));
}

/** Returns the median in percent; null without a value. */
export function naiveMedian(ppms: readonly number[]): number | null {
  const sorted = [...ppms];
  sorted.sort((one, other) => one - other);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? null : (low + high) / 20_000;
}
