import { MIN_RANKED_CALLS } from '#schema/constants.ts';
import type { CallerListItem, RecentCall } from '#schema/contracts/callers.ts';
import { pluralize, formatChange } from '#schema/rules/text/format.ts';
import { changePercent } from '#schema/rules/calls/change-percent.ts';

/** Returns the running sum of the calls' changes in percent, starting at 0. Pass the oldest call first. */
export function runningReturn(calls: readonly Pick<RecentCall, 'entryPrice' | 'endPrice'>[]): number[] {
  const values = [0];
  for (const call of calls) values.push((values.at(-1) ?? 0) + changePercent(call.entryPrice, call.endPrice));
  return values;
}

/** Returns a text such as 'Last 3 ended calls: +12.0%, -4.0%, +1.5%'. */
export function describeRecord(calls: readonly RecentCall[]): string {
  const changes = calls.map((call) => formatChange(changePercent(call.entryPrice, call.endPrice)));
  return `Last ${calls.length} ended calls: ${changes.join(', ')}`;
}

/** True if a caller has enough ranked calls to be compared with others. */
export function hasRecord({ rankedCalls }: Pick<CallerListItem, 'rankedCalls'>): boolean {
  return rankedCalls >= MIN_RANKED_CALLS;
}

/** True if a caller has enough follower returns to be compared with others. */
export function hasFollowerRecord({ followerCalls }: Pick<CallerListItem, 'followerCalls'>): boolean {
  return followerCalls >= MIN_RANKED_CALLS;
}

/** Says how many calls the proven rate is based on. */
export function provenSample({ provenRate, rankedCalls, totalCalls, endedCalls }: CallerListItem): string {
  const openCalls = totalCalls - endedCalls;
  return provenRate === null ? 'none ranked' : `from ${pluralize(rankedCalls + openCalls, 'call')}`;
}
