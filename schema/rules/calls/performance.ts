import { DOUBLED_MULTIPLE, MAX_FOLLOWER_RESULT_PERCENT } from '#schema/constants/market.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { changePercent, isWin } from './change-percent.ts';
import type { UncountedGainReason } from './ranking.ts';

export function multipleOf({ entryPrice, endPrice }: { entryPrice: string; endPrice: string }): number {
  // Removes floating-point noise: 0.0000317 / 0.00002 is 1.585, not 1.5849999999999997.
  return Number((Number(endPrice) / Number(entryPrice)).toPrecision(13));
}

export function winRate(changesInPercent: readonly number[]): number | null {
  if (changesInPercent.length === 0) return null;
  return (changesInPercent.filter(isWin).length / changesInPercent.length) * 100;
}

/** Avg Return: each change counts at most MAX_FOLLOWER_RESULT_PERCENT. */
export const averageReturn = (changesInPercent: readonly number[]): number | null =>
  meanReturn(changesInPercent.map((change) => Math.min(change, MAX_FOLLOWER_RESULT_PERCENT)));

export function meanReturn(changesInPercent: readonly number[]): number | null {
  if (changesInPercent.length === 0) return null;
  return changesInPercent.reduce((sum, change) => sum + change, 0) / changesInPercent.length;
}

/** Prices are plain decimals in USD; only `endPrice` may be 0. */
export interface EndedCall {
  readonly entryPrice: string;
  readonly endPrice: string;
  readonly changePercent: number;
  readonly endedAt: number;
  readonly peakPrice: string | null;
}

/** A ranked call as it ended. `countedCall` turns it into the call that statistics count. */
export interface RankedCall extends EndedCall {
  readonly uncountedGainReason: UncountedGainReason | null;
}

/**
 * Returns a ranked call as the statistics count it. If its gain doesn't count, its end price becomes the
 * entry price, and its peak becomes unknown. call-statistics.repository.ts computes the same change in SQL.
 */
export function countedCall({ uncountedGainReason, ...call }: RankedCall): EndedCall {
  if (uncountedGainReason === null) return call;
  return { ...call, endPrice: call.entryPrice, changePercent: 0, peakPrice: null };
}

export function medianReturn(changesInPercent: readonly number[]): number | null {
  const sorted = changesInPercent.toSorted((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return lower === undefined || upper === undefined ? null : (lower + upper) / 2;
}

export function bestReturn(changesInPercent: readonly number[]): number | null {
  return changesInPercent.length === 0 ? null : Math.max(...changesInPercent);
}

export function worstReturn(changesInPercent: readonly number[]): number | null {
  return changesInPercent.length === 0 ? null : Math.min(...changesInPercent);
}

/** The share of calls that ended at twice their entry price or more, in percent. Null without a call. */
export function shareOfDoubledCalls(
  calls: readonly Pick<EndedCall, 'entryPrice' | 'endPrice'>[],
): number | null {
  if (calls.length === 0) return null;
  // Doubling a float is exact, so a call at exactly 2x counts.
  const doubled = calls.filter(
    ({ entryPrice, endPrice }) => Number(endPrice) >= DOUBLED_MULTIPLE * Number(entryPrice),
  );
  return (doubled.length / calls.length) * 100;
}

/** The sum of all gains divided by the sum of all losses, both in percent. Null without a loss. */
export function profitFactor(changesInPercent: readonly number[]): number | null {
  const sumOf = (changes: readonly number[]) => changes.reduce((sum, change) => sum + change, 0);
  const losses = -sumOf(changesInPercent.filter((change) => change < 0));
  return losses === 0 ? null : sumOf(changesInPercent.filter(isWin)) / losses;
}

/** The mean of peak / entry (at least 1 each) over calls with a known peak. Null without one. */
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

/** Filters the calls that ended in the last `days` before `now` (unix ms), both bounds included. */
export function filterEndedInLastDays<Call extends Pick<EndedCall, 'endedAt'>>(
  calls: readonly Call[],
  { days, now }: { days: number; now: number },
): Call[] {
  return calls.filter(({ endedAt }) => endedAt >= now - days * DAY_MS);
}

/** @param calls ended ranked calls as `countedCall` returns them, in the order in which they ended */
export function describeEndedCalls(calls: readonly EndedCall[]) {
  const changes = calls.map((call) => call.changePercent);
  return {
    endedCalls: calls.length,
    meanReturn: denoised(meanReturn(changes)),
    medianReturn: denoised(medianReturn(changes)),
    bestReturn: denoised(bestReturn(changes)),
    worstReturn: denoised(worstReturn(changes)),
    shareOfDoubledCalls: denoised(shareOfDoubledCalls(calls)),
    profitFactor: denoised(profitFactor(changes)),
    averagePeakMultiple: denoised(averagePeakMultiple(calls)),
    followedCalls: calls.filter(({ peakPrice }) => peakPrice !== null).length,
  };
}

/** The mean change of open calls with a last known price, in percent. Null if no call has such a price. */
export function markToMarket(
  calls: readonly { readonly entryPrice: string; readonly lastPrice: string | null }[],
): number | null {
  return denoised(
    meanReturn(
      calls.flatMap(({ entryPrice, lastPrice }) =>
        lastPrice === null ? [] : [changePercent(entryPrice, lastPrice)],
      ),
    ),
  );
}

/** Removes floating-point noise: (10.1 + 10.2) / 2 is 10.149999999999999 and would be shown as 10.1. */
function denoised(value: number | null): number | null {
  return value === null ? null : Number(Number(value.toPrecision(13)).toFixed(9)) + 0;
}
