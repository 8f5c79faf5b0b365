import type { CallerChain, EndedCall } from './chain.ts';
import { countedCalls, provenOf, sum, type IsLate } from './proven.ts';

// The figures of a caller at a size of the log, as /how-we-count defines them.

const DAY_MS = 24 * 60 * 60_000;
const FOLLOWED_CALLS = 200;
const PPM_PER_PERCENT = 10_000;
/** A change counts at most this much in Avg Return, in percent. */
const MAX_CHANGE = 200;
const ACTIVE_MS = 30 * DAY_MS;
/** Caches serve older responses for at most this long. */
export const CACHE_MS = 10 * 60_000;
/** Windows cover at most this many of the newest ended calls. */
const WINDOW_CALLS = 5_000;

const mean = (values: readonly number[]) => (values.length === 0 ? null : sum(values) / values.length);

/** The calls that had ended at this size of the log, the newest end first. */
export const endedAt = (chain: CallerChain, size: number): EndedCall[] =>
  [...chain.ended.values()]
    .filter(({ endIndex }) => endIndex < size)
    .sort((one, other) => other.endedAt - one.endedAt || (one.call < other.call ? 1 : -1));

const isRanked = ({ unranked }: EndedCall): boolean => unranked === null;

/** Names are those of the site's responses. Rates are in percent; null without a call. */
export function figuresAt(chain: CallerChain, size: number, isLate: IsLate) {
  const ended = endedAt(chain, size);
  const ranked = ended.filter(isRanked);
  const openings = chain.openings.filter((index) => index < size);
  const closed = new Set(ended.map(({ openIndex }) => openIndex));
  const oldestOpen = openings.find((index) => !closed.has(index)) ?? Infinity;
  const recorded = ranked.filter(({ markIndex }) => markIndex < size);
  const window = recorded.slice(0, FOLLOWED_CALLS);
  const counted = countedCalls(recorded, { oldestOpen, isLate });
  const known = window.flatMap(({ result }) => result?.ppm ?? []);
  const followed = mean(known);
  return {
    totalCalls: openings.length,
    activeCallCount: openings.length - ended.length,
    endedCalls: ended.length,
    rankedCalls: ranked.length,
    winRate: mean(ranked.map(({ countedChange }) => (countedChange > 0 ? 100 : 0))),
    avgReturn: mean(ranked.map(({ countedChange }) => Math.min(countedChange, MAX_CHANGE))),
    followerReturn: followed === null ? null : followed / PPM_PER_PERCENT,
    followerCalls: known.length,
    callsWithoutResult: window.length - known.length,
    ...provenOf(counted),
    /** For After the fee. */
    counted,
    lastCallTimestamp: endOf(ended[0]),
    lastRankedCallTimestamp: endOf(ranked[0]),
  };
}

const endOf = (call: EndedCall | undefined) =>
  call === undefined ? null : new Date(call.endedAt).toISOString();

/**
 * Whether a caller with this Proven comes first in orders by a rate or return. Both answers are possible near the end of
 * ACTIVE_MS, and while a call is open, because the log doesn't show yet whether it's ranked.
 */
export function leadsAt(chain: CallerChain, size: number, proven: unknown, now: number): boolean[] {
  if (Number(proven) <= 0) return [false];
  const known = [...chain.ended.values()].filter(({ openIndex }) => openIndex < size);
  const acts = known.filter(isRanked).map(({ openedAt, endedAt: end, endIndex, automatic }) => {
    return endIndex < size && automatic === null ? end : openedAt;
  });
  const endsAt = Math.max(...acts) + ACTIVE_MS;
  const mayLead =
    endsAt > now - CACHE_MS || chain.openings.filter((index) => index < size).length > known.length;
  return [...(mayLead ? [true] : []), ...(endsAt > now + CACHE_MS ? [] : [false])];
}

const isDoubled = ({ entryPrice, endPrice, countedChange }: EndedCall) =>
  countedChange > 0 && Number(endPrice) >= 2 * Number(entryPrice);

function windowOf(calls: readonly EndedCall[]) {
  const changes = calls.map(({ countedChange }) => countedChange);
  const sorted = changes.toSorted((one, other) => one - other);
  const losses = -sum(changes.filter((change) => change < 0));
  return {
    endedCalls: calls.length,
    meanReturn: mean(changes),
    medianReturn: mean(sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1)),
    bestReturn: sorted.at(-1) ?? null,
    worstReturn: sorted[0] ?? null,
    shareOfDoubledCalls: mean(calls.map((call) => (isDoubled(call) ? 100 : 0))),
    profitFactor: losses === 0 ? null : sum(changes.filter((change) => change > 0)) / losses,
  };
}

/** The statistics of the newest ended calls, as the site shows them at a time. */
export function statisticsAt(chain: CallerChain, size: number, now: number) {
  const calls = endedAt(chain, size).slice(0, WINDOW_CALLS);
  const ranked = calls.filter(isRanked);
  const within = (days: number) => windowOf(ranked.filter((call) => call.endedAt >= now - days * DAY_MS));
  return {
    unrankedCalls: calls.length - ranked.length,
    microCapCalls: calls.filter(({ unranked }) => unranked === 'micro_cap').length,
    uncountedGains: ranked.filter(({ uncounted }) => uncounted !== null).length,
    windows: { '30d': within(30), '90d': within(90), all: windowOf(ranked) },
  };
}

/** True if two values are equal except for rounding. The site rounds changes to 1e-9 percent and 13 digits. */
export function isClose(one: unknown, other: unknown): boolean {
  if (typeof one !== 'number' || typeof other !== 'number' || !Number.isFinite(other)) return one === other;
  return Math.abs(one - other) <= 1e-6 + 1e-11 * Math.abs(other);
}
