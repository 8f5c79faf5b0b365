import type { CallerListItem, CallerSort, RecentCall } from '#schema/contracts/callers.ts';
import { RATE_SORTS } from '#schema/constants/market.ts';
import { formatChange } from '#schema/rules/text/format.ts';
import { changePercent } from '#schema/rules/calls/change-percent.ts';

/** Returns the running sum of the calls' changes in percent, starting at 0. Pass the oldest call first. */
export function runningReturn(calls: readonly Pick<RecentCall, 'entryPrice' | 'endPrice'>[]): number[] {
  const values = [0];
  for (const call of calls) values.push((values.at(-1) ?? 0) + changePercent(call.entryPrice, call.endPrice));
  return values;
}

export function describeRecord(calls: readonly RecentCall[]): string {
  const changes = calls.map((call) => formatChange(changePercent(call.entryPrice, call.endPrice)));
  return `Last ${calls.length} ended calls: ${changes.join(', ')}`;
}

/** The figure that an order compares, with a comma after it, unless the card shows it anyway. */
export function orderedBy(caller: CallerListItem, sort: CallerSort): string {
  if (sort === 'followerReturn') return `Follower Return ${shownChange(caller.followerReturn)}, `;
  if (sort === 'afterFee') return `${shownChange(caller.afterFeePercent)} a month in this order, `;
  return '';
}

const shownChange = (percent: number | null) => (percent === null ? '–' : formatChange(percent));

/** The groups of a list by a rate or return. `start` is the position of the group's first caller. */
export function groupByProven(callers: readonly CallerListItem[], sort: CallerSort) {
  if (!RATE_SORTS.some((rate) => rate === sort)) return [{ title: null, start: 0, callers }];
  const first = callers.findIndex((caller) => !caller.isLeading);
  const start = first === -1 ? callers.length : first;
  return [
    { title: 'Proven', start: 0, callers: callers.slice(0, start) },
    { title: NOT_PROVEN_YET, start, callers: callers.slice(start) },
  ].filter((group) => group.callers.length > 0);
}

export const NOT_PROVEN_YET = 'Not proven yet';
