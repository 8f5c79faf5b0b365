import type { MarkPrice } from './follower-return.ts';
import {
  meanOf,
  subtract,
  add,
  read,
  rounded,
  sumOf,
  divide,
  multiply,
  type Fraction,
} from './fraction.test-model.ts';
import { studentT } from './student-t.ts';

// A model for tests: computes follower returns from their definition, in exact fractions. Shares only the
// table of Student's t with the rules.

/** The output of a swap: the product of the two reserves stays the same, after 0.3% of the input. */
function swap({ input, reserveIn, reserveOut }: Record<'input' | 'reserveIn' | 'reserveOut', Fraction>) {
  const added = multiply(input, read('0.997'));
  const product = multiply(reserveIn, reserveOut);
  return subtract(reserveOut, divide(product, add(reserveIn, added)));
}

/** Returns the follower return in millionths of the stake; null if a price or liquidity is unknown. */
export function naiveReturnPpm(
  entry: MarkPrice | undefined,
  end: MarkPrice | undefined,
  stakeUsd: number,
): number | null {
  if (!entry?.liquidityUsd || !end?.liquidityUsd) return null;
  const pools = [entry, end].map(({ price, liquidityUsd }) => {
    const usd = divide(read(liquidityUsd ?? 0), read(2));
    return { usd, tokens: divide(usd, read(price)) };
  });
  const [buying, selling] = pools as [(typeof pools)[number], (typeof pools)[number]];
  const stake = read(stakeUsd);
  const tokens = swap({ input: stake, reserveIn: buying.usd, reserveOut: buying.tokens });
  const proceeds = swap({ input: tokens, reserveIn: selling.tokens, reserveOut: selling.usd });
  return rounded(multiply(divide(subtract(proceeds, stake), stake), read(1_000_000)));
}

/** An ended call as the API shows it. A mark is null if no source had a price, undefined without a record. */
export interface NaiveCall {
  readonly entryPrice: string;
  readonly endPrice: string;
  /** True if the gain counts as 0%. */
  readonly isUncounted: boolean;
  readonly open: MarkPrice | null | undefined;
  readonly end: MarkPrice | null | undefined;
}

/** Returns a call's follower result for 1,000 USD, in millionths. Null without a result. */
export function naiveResult({ entryPrice, endPrice, isUncounted, open, end }: NaiveCall): number | null {
  if (Number(endPrice) === 0 || end?.liquidityUsd === 0) return -1_000_000;
  const change = subtract(divide(read(endPrice), read(entryPrice)), read(1));
  const counted = isUncounted ? 0 : rounded(multiply(change, read(1_000_000)));
  const traded = naiveReturnPpm(open ?? undefined, end ?? undefined, 1_000);
  if (traded !== null) return Math.min(traded, counted, 2_000_000);
  const isOurs = open === undefined || end === undefined;
  return isOurs || change.numerator >= 0n ? null : counted;
}

export interface NaiveRecord {
  readonly mint: string;
  readonly calledAt: number;
  readonly ppm: number | null;
  readonly isLate: boolean;
}

/** Computes a caller's figures from their records, newest end first. Uses doubles only for the last square root. */
export function naiveFigures(records: readonly NaiveRecord[], oldestOpenAt: number | null) {
  const window = records.slice(0, 200);
  const results = window.filter(({ ppm }) => ppm !== null).map(({ ppm }) => read(ppm ?? 0));
  const percentOf = ({ numerator, denominator }: Fraction) =>
    Number(numerator) / Number(denominator * 10_000n);
  const counted = window.flatMap(({ mint, calledAt, ppm, isLate }) => {
    const mayCount = ppm !== null && (ppm <= 0 || oldestOpenAt === null || calledAt < oldestOpenAt);
    if (!mayCount) return [];
    return [
      { mint, day: new Date(calledAt).toISOString().slice(0, 10), value: read(isLate && ppm > 0 ? 0 : ppm) },
    ];
  });
  const limitBy = (key: 'mint' | 'day') => {
    const groups = [...Map.groupBy(counted, (each) => each[key]).values()];
    const mean = meanOf(counted.map(({ value }) => value));
    const squares = groups.map((group) => {
      const sum = sumOf(group.map(({ value }) => subtract(value, mean)));
      return multiply(sum, sum);
    });
    const factor = divide(read(groups.length), read((groups.length - 1) * counted.length ** 2));
    const { numerator, denominator } = multiply(factor, sumOf(squares));
    const t = studentT(groups.length - 1);
    return percentOf(mean) - (t * Math.sqrt(Number((numerator * 10n ** 24n) / denominator) / 1e24)) / 10_000;
  };
  const [days, mints] = (['day', 'mint'] as const).map(
    (key) => new Set(counted.map((each) => each[key])).size,
  );
  return {
    calls: results.length,
    callsWithoutResult: window.length - results.length,
    followerReturn: results.length === 0 ? null : percentOf(meanOf(results)),
    proven: Math.min(days ?? 0, mints ?? 0) < 10 ? null : Math.min(limitBy('mint'), limitBy('day')),
    provenDays: days,
    provenMints: mints,
  };
}
