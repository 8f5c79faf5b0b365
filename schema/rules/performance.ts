import { DAY_MS, DOUBLED_MULTIPLE, PROVEN_GAIN_PERCENT, PROVEN_Z } from '#schema/constants.ts';

/** The change from entry to end in percent: (end - entry) / entry × 100. Both are plain decimals above 0, in USD. */
export function changePercent(entryPrice: string, endPrice: string): number {
  const entry = Number(entryPrice);
  return ((Number(endPrice) - entry) / entry) * 100;
}

/** How many times its entry a call ended at: end / entry. Both are plain decimals above 0, in USD. */
export function multipleOf({ entryPrice, endPrice }: { entryPrice: string; endPrice: string }): number {
  // Without what binary fractions blur: from 0.00002 to 0.0000317 is 1.585 times, not 1.5849999999999997.
  return Number((Number(endPrice) / Number(entryPrice)).toPrecision(13));
}

/** Whether an ended call counts as won: its end price is above its entry price. */
export function isWin(changeInPercent: number): boolean {
  return changeInPercent > 0;
}

/** The share of won calls in percent, or `null` without an ended call. */
export function winRate(changesInPercent: readonly number[]): number | null {
  if (changesInPercent.length === 0) return null;
  return (changesInPercent.filter(isWin).length / changesInPercent.length) * 100;
}

/** The mean change of ended calls in percent, or `null` without one. */
export function averageReturn(changesInPercent: readonly number[]): number | null {
  if (changesInPercent.length === 0) return null;
  return changesInPercent.reduce((sum, change) => sum + change, 0) / changesInPercent.length;
}

/** An ended call as the figures below need it. Prices are plain decimals above 0, in USD. */
export interface EndedCall {
  readonly entryPrice: string;
  readonly endPrice: string;
  /** (end - entry) / entry × 100. */
  readonly changePercent: number;
  /** Unix ms. */
  readonly endedAt: number;
  /** The highest price that was seen while the call was open; null when nobody looked. */
  readonly peakPrice: string | null;
}

/** What binary fractions blur, in percent: from 3 to 3.03 is 0.9999999999999935%. */
const ROUNDING_PERCENT = 1e-9;

/** From which change in percent on a call counts as won in `provenRate`. */
export const PROVEN_WIN_FROM = PROVEN_GAIN_PERCENT - ROUNDING_PERCENT;

/** Whether an ended call's change in percent proves anything: it gained at least 1%. */
export function isProvenWin(changeInPercent: number): boolean {
  return changeInPercent >= PROVEN_WIN_FROM;
}

/**
 * The win rate in percent that is certain with 95% confidence, or `null` without a call: the lower bound of Wilson's
 * interval, with p = wins / calls, n = calls and z = 1.96. Wins are `isProvenWin`; calls are the ended ones and those
 * that are open, which are not won yet: else whoever keeps losers open would prove more than whoever ends them.
 *
 *     (p + z² / 2n - z × √(p(1 - p) / n + z² / 4n²)) / (1 + z² / n)
 *
 * So one call that was won proves 20.7%, fifty of fifty prove 92.9%. The directory's SQL says the same.
 */
export function provenRate({ wins, calls }: { wins: number; calls: number }): number | null {
  if (calls === 0) return null;
  // Rounding would leave a hair above 0.
  if (wins === 0) return 0;
  const share = wins / calls;
  const zSquare = PROVEN_Z * PROVEN_Z;
  const middle = share + zSquare / (2 * calls);
  const reach = PROVEN_Z * Math.sqrt((share * (1 - share)) / calls + zSquare / (4 * calls * calls));
  return (Math.max(0, middle - reach) / (1 + zSquare / calls)) * 100;
}

/** The change in the middle, or the mean of the two there; `null` without a call. In percent. */
export function medianReturn(changesInPercent: readonly number[]): number | null {
  const sorted = changesInPercent.toSorted((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return lower === undefined || upper === undefined ? null : (lower + upper) / 2;
}

/** The highest change in percent, or `null` without a call. */
export function bestReturn(changesInPercent: readonly number[]): number | null {
  return changesInPercent.length === 0 ? null : Math.max(...changesInPercent);
}

/** The lowest change in percent, or `null` without a call. */
export function worstReturn(changesInPercent: readonly number[]): number | null {
  return changesInPercent.length === 0 ? null : Math.min(...changesInPercent);
}

/** The share in percent of calls that ended at twice their entry or more, or `null` without a call. */
export function doubledShare(calls: readonly Pick<EndedCall, 'entryPrice' | 'endPrice'>[]): number | null {
  if (calls.length === 0) return null;
  // By prices, not by percents: twice a double is exact, and a call at exactly 2x has doubled.
  const doubled = calls.filter(
    ({ entryPrice, endPrice }) => Number(endPrice) >= DOUBLED_MULTIPLE * Number(entryPrice),
  );
  return (doubled.length / calls.length) * 100;
}

/**
 * The deepest fall in percent, 0 or below, of one stake that goes whole from call to call, from the greatest height it
 * had before (at first 1): the least of height / greatest height so far, less 1. `null` without a call.
 *
 * @param calls in the order in which they ended.
 */
export function maxDrawdown(calls: readonly Pick<EndedCall, 'entryPrice' | 'endPrice'>[]): number | null {
  if (calls.length === 0) return null;
  // Kept as a share of the greatest height, not as a height: hundreds of calls would leave what a double can hold.
  let shareLeft = 1;
  let least = 1;
  for (const { entryPrice, endPrice } of calls) {
    shareLeft = Math.min(1, (shareLeft * Number(endPrice)) / Number(entryPrice));
    least = Math.min(least, shareLeft);
  }
  return (least - 1) * 100;
}

/** The mean of peak / entry over the calls whose peak was followed, each at least 1; `null` without such a call. */
export function averagePeakMultiple(
  calls: readonly Pick<EndedCall, 'entryPrice' | 'peakPrice'>[],
): number | null {
  const multiples = calls.flatMap(({ entryPrice, peakPrice }) =>
    peakPrice === null ? [] : [Math.max(1, Number(peakPrice) / Number(entryPrice))],
  );
  return multiples.length === 0
    ? null
    : multiples.reduce((sum, multiple) => sum + multiple, 0) / multiples.length;
}

/** The calls that ended within the last `days` before `now` (unix ms), both ends included. */
export function endedWithin<Call extends Pick<EndedCall, 'endedAt'>>({
  calls,
  days,
  now,
}: {
  calls: readonly Call[];
  days: number;
  now: number;
}): Call[] {
  return calls.filter(({ endedAt }) => endedAt >= now - days * DAY_MS);
}

/**
 * Every figure over these calls.
 *
 * @param calls ranked ones, in the order in which they ended.
 * @param openCalls how many calls are open now, ranked or not: which of them are is for who may see them.
 */
export function describeEndedCalls(calls: readonly EndedCall[], { openCalls }: { openCalls: number }) {
  const changes = calls.map((call) => call.changePercent);
  return {
    endedCalls: calls.length,
    winRate: settled(winRate(changes)),
    provenRate: settled(
      calls.length === 0
        ? null
        : provenRate({ wins: changes.filter(isProvenWin).length, calls: calls.length + openCalls }),
    ),
    medianReturn: settled(medianReturn(changes)),
    bestReturn: settled(bestReturn(changes)),
    worstReturn: settled(worstReturn(changes)),
    doubledShare: settled(doubledShare(calls)),
    maxDrawdown: settled(maxDrawdown(calls)),
    averagePeakMultiple: settled(averagePeakMultiple(calls)),
    followedCalls: calls.filter(({ peakPrice }) => peakPrice !== null).length,
  };
}

/**
 * The mean change in percent of open calls at their last known prices, over those that have one; `null` without.
 * An open call's price is a plain decimal above 0, in USD, or null.
 */
export function markToMarket(
  calls: readonly { readonly entryPrice: string; readonly lastPrice: string | null }[],
): number | null {
  return settled(
    averageReturn(
      calls.flatMap(({ entryPrice, lastPrice }) =>
        lastPrice === null ? [] : [changePercent(entryPrice, lastPrice)],
      ),
    ),
  );
}

/** The least that a call can leave of a stake: a loss that reads -100% in a double was none in truth. */
const LEAST_MULTIPLE = 1e-9;

/**
 * How high the stake of `maxDrawdown` stands after each call, as the decimal logarithm of its multiple: 0 is where it
 * began, 1 ten times as much. Many calls in a row leave what a double or a linear scale can hold.
 */
export function stakeLogarithms(changesInPercent: readonly number[]): number[] {
  let height = 0;
  return changesInPercent.map((change) => (height += Math.log10(Math.max(LEAST_MULTIPLE, 1 + change / 100))));
}

/**
 * A figure without what binary fractions blur: (10.1 + 10.2) / 2 is 10.149999999999999 to a double, and would be shown
 * as 10.1 where everybody who reckons by hand gets 10.2.
 */
function settled(value: number | null): number | null {
  return value === null ? null : Number(Number(value.toPrecision(13)).toFixed(9)) + 0;
}
