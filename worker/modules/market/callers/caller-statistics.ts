import { STATISTICS_WINDOWS_DAYS } from '#schema/constants/market.ts';
import type { CallerStatistics, WindowStatistics } from '#schema/contracts/callers.ts';
import type { ShownPrices } from '#schema/contracts/prices.ts';
import {
  countedCall,
  describeEndedCalls,
  filterEndedInLastDays,
  markToMarket,
} from '#schema/rules/calls/performance.ts';
import type { EndedCallRow, OpenCallRow } from './callers.repository.ts';

export interface EndedCallsReport {
  readonly ended: readonly EndedCallRow[];
  readonly now: number;
}

/** The part that everybody sees. Only ranked ended calls contribute returns; unranked ones are only counted. */
export function describeRecord({
  ended,
  now,
}: EndedCallsReport): Omit<CallerStatistics, 'microCaps' | 'openCalls' | 'holdings'> {
  const ranked = ended.filter(({ unrankedReason }) => unrankedReason === null);
  const counted = ranked.map(countedCall);
  const within = (days: number): WindowStatistics =>
    describeEndedCalls(filterEndedInLastDays(counted, { days, now }));
  const [month, quarter] = STATISTICS_WINDOWS_DAYS;
  return {
    windows: { '30d': within(month), '90d': within(quarter), all: describeEndedCalls(counted) },
    unrankedCalls: ended.length - ranked.length,
    microCapCalls: ended.filter(({ unrankedReason }) => unrankedReason === 'micro_cap').length,
    uncountedGains: ranked.filter(({ uncountedGainReason }) => uncountedGainReason !== null).length,
  };
}

/** Values open ranked calls at their last known prices. Ignores a price that is older than its call. */
export function describeOpenCalls(
  open: readonly OpenCallRow[],
  prices: ShownPrices,
): NonNullable<CallerStatistics['openCalls']> {
  const ranked = open.filter(({ unrankedReason }) => unrankedReason === null);
  const calls = ranked.map(({ tokenMint, entryPrice, calledAt }) => {
    const last = prices[tokenMint];
    const isSinceCall = last !== undefined && Date.parse(last.at) >= calledAt;
    return { entryPrice, lastPrice: isSinceCall ? last.price : null };
  });
  return {
    count: calls.length,
    microCapCount: open.filter(({ unrankedReason }) => unrankedReason === 'micro_cap').length,
    pricedCount: calls.filter(({ lastPrice }) => lastPrice !== null).length,
    averageReturn: markToMarket(calls),
  };
}
