// The figures of a caller's record, as /how-we-count defines them.

const MIN_HOLD_MS = 10 * 60_000;
/** The median, best and worst return cover this many of the newest ended calls. */
const NEWEST_CALLS = 5_000;

export interface EndedCall {
  readonly openedAt: number;
  readonly endedAt: number;
  readonly entryPrice: string;
  readonly endPrice: string;
  readonly isRanked: boolean;
  /** Reason why a gain counts as 0%. */
  readonly uncounted: string | null;
}

/** A caller's figures in percent; null without an ended ranked call. */
export interface Figures {
  readonly endedCalls: number;
  readonly rankedCalls: number;
  readonly winRate: number | null;
  readonly avgReturn: number | null;
  readonly medianReturn: number | null;
  readonly bestReturn: number | null;
  readonly worstReturn: number | null;
}

const changeOf = ({ entryPrice, endPrice }: EndedCall): number =>
  ((Number(endPrice) - Number(entryPrice)) / Number(entryPrice)) * 100;

const countedChange = (call: EndedCall): number =>
  call.uncounted === null ? changeOf(call) : Math.min(changeOf(call), 0);

/** True for a loss that is marked as uncounted. Only a gain may be uncounted. */
export const isUncountedLoss = (call: EndedCall): boolean => call.uncounted !== null && !(changeOf(call) > 0);

/** True for a gain within ten minutes that isn't marked as uncounted. It should count as 0%. */
export const isCountedTooSoon = (call: EndedCall): boolean =>
  call.isRanked && countedChange(call) > 0 && call.endedAt - call.openedAt < MIN_HOLD_MS;

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

export function figuresOf(calls: readonly EndedCall[]): Figures {
  const changesOf = (some: readonly EndedCall[]) =>
    some.filter(({ isRanked }) => isRanked).map(countedChange);
  const changes = changesOf(calls);
  const newest = calls.toSorted((one, other) => one.endedAt - other.endedAt).slice(-NEWEST_CALLS);
  const sorted = changesOf(newest).toSorted((one, other) => one - other);
  const median = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return {
    endedCalls: calls.length,
    rankedCalls: changes.length,
    winRate: mean(changes.map((change) => (change > 0 ? 100 : 0))),
    avgReturn: mean(changes),
    medianReturn: mean(median),
    bestReturn: sorted.at(-1) ?? null,
    worstReturn: sorted[0] ?? null,
  };
}

/**
 * True if two figures are equal except for rounding. The site rounds changes to 1e-9 percent and 13 digits.
 */
export function isClose(one: unknown, other: number | null): boolean {
  if (typeof one !== 'number' || other === null) return one === other;
  return Math.abs(one - other) <= 1e-6 + 1e-11 * Math.abs(other);
}

export interface Order {
  readonly sort: string;
  readonly order: 'asc' | 'desc';
}

/** Sort orders that can be computed from the log, with the sort value of a caller without that figure. */
const valueIfMissing = { avgReturn: -100, winRate: -1 } as const satisfies Partial<
  Record<keyof Figures, number>
>;

export const isOrderInLog = (sort: string): sort is keyof typeof valueIfMissing => sort in valueIfMissing;

/** True if the first caller may be listed before the second one of the same group, according to the log. */
export function isBefore(one: Figures, other: Figures, { sort, order }: Order): boolean {
  if (!isOrderInLog(sort)) return true;
  const [first, second] = [one[sort] ?? valueIfMissing[sort], other[sort] ?? valueIfMissing[sort]];
  return isClose(first, second) || (order === 'asc' ? first < second : first > second);
}
