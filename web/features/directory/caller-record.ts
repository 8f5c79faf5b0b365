import type { CallerListItem, RecentCall } from '#schema/contracts/callers.ts';
import { formatChange } from '#schema/rules/format.ts';
import { changePercent } from '#schema/rules/performance.ts';

/** The running sum of the calls' changes in percent, from 0 before the first. Calls oldest first. */
export function runningReturn(calls: readonly Pick<RecentCall, 'entryPrice' | 'endPrice'>[]): number[] {
  const values = [0];
  for (const call of calls) values.push((values.at(-1) ?? 0) + changePercent(call.entryPrice, call.endPrice));
  return values;
}

/** The same in words: 'Last 3 ended calls: +12.0%, -4.0%, +1.5%'. */
export function describeRecord(calls: readonly RecentCall[]): string {
  const changes = calls.map((call) => formatChange(changePercent(call.entryPrice, call.endPrice)));
  return `Last ${calls.length} ended calls: ${changes.join(', ')}`;
}

/** What a proven rate rests on: the open and the ranked ones among all of a caller's calls. */
export function provenSample({
  provenRate,
  totalCalls,
}: Pick<CallerListItem, 'provenRate' | 'totalCalls'>): string {
  return provenRate === null ? 'none ranked' : `among ${totalCalls.toLocaleString('en-US')}`;
}
