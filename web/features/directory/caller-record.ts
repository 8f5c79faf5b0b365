import type { CallerListItem, RecentCall } from '#schema/contracts/callers.ts';
import { countOf, formatChange } from '#schema/rules/format.ts';
import { changePercent } from '#schema/rules/performance.ts';

/** The running sum of the calls' changes in percent, starting at 0. Expects the oldest call first. */
export function runningReturn(calls: readonly Pick<RecentCall, 'entryPrice' | 'endPrice'>[]): number[] {
  const values = [0];
  for (const call of calls) values.push((values.at(-1) ?? 0) + changePercent(call.entryPrice, call.endPrice));
  return values;
}

/** 'Last 3 ended calls: +12.0%, -4.0%, +1.5%' */
export function describeRecord(calls: readonly RecentCall[]): string {
  const changes = calls.map((call) => formatChange(changePercent(call.entryPrice, call.endPrice)));
  return `Last ${calls.length} ended calls: ${changes.join(', ')}`;
}

/** The sample of a proven rate: the open and ranked ones of all calls. */
export function provenSample({
  provenRate,
  totalCalls,
}: Pick<CallerListItem, 'provenRate' | 'totalCalls'>): string {
  return provenRate === null ? 'none ranked' : `from ${countOf(totalCalls, 'call')}`;
}
