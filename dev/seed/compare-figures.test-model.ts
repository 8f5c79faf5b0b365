import {
  naiveFigures,
  naiveResult,
  type NaiveRecord,
} from '#schema/rules/calls/follower-return.test-model.ts';
import { naiveCalculation } from '#schema/rules/calls/calculator.test-model.ts';
import { calculate, type CopiedCall } from '#schema/rules/calls/calculator.ts';
import { naiveSpecFigures, naiveStatistics } from '#schema/rules/calls/performance.test-model.ts';
import type { CallDetail } from '#schema/contracts/calls.ts';
import { parseSol } from '#schema/rules/money/lamports.ts';
import type { CallerResponses } from './read-figures.ts';

// A model for tests: recomputes callers' figures from other responses of the API, in exact fractions.

export interface Compared {
  /** Such as `amara_calls winRate`. */
  readonly name: string;
  readonly shown: unknown;
  readonly recomputed: unknown;
}

/**
 * Counts, amounts and follower results must be equal, and other fractions to 12 digits, because the product computes
 * with doubles. It rounds changes in percent, and the statistics of a window, to 9 decimals.
 */
export function isSame({ name, shown, recomputed }: Compared): boolean {
  if (typeof shown !== 'number' || typeof recomputed !== 'number') return shown === recomputed;
  if (Number.isInteger(recomputed)) return shown === recomputed;
  const rounding = name.endsWith(' avgReturn') || name.includes(WINDOW) ? 0.5e-9 : 0;
  return Math.abs(shown - recomputed) <= Math.abs(recomputed) * 1e-12 + rounding;
}

const WINDOW = 'statistics of ';
const timeOf = (timestamp: string | undefined) => Date.parse(timestamp ?? '');
const WINDOWS = { '30d': 30, '90d': 90, all: null } as const;

/** Recomputes a caller's figures from the calls and subscriptions that the API lists. `now` is unix ms. */
export function compareFigures(responses: CallerResponses, now: number): Compared[] {
  const { listed, profile, statistics } = responses;
  const ended = responses.ended.toSorted(
    (one, other) => timeOf(one.endTimestamp) - timeOf(other.endTimestamp) || (one.id < other.id ? -1 : 1),
  );
  const everyone = {
    ...recomputeCalls(ended),
    ...recomputeFollowers(responses, ended),
    ...countAll(responses),
  };
  const own = {
    activeCallCount: responses.calls.length - ended.length,
    earnings: earnedBy(responses),
  };
  const counts = {
    unrankedCalls: ended.filter(({ unrankedReason }) => unrankedReason !== null).length,
    microCapCalls: ended.filter(({ unrankedReason }) => unrankedReason === 'micro_cap').length,
    uncountedGains: ended.filter(({ uncountedGainReason }) => uncountedGainReason !== null).length,
  };
  const newest = ended.slice(-listed.recentCalls.length);
  return [
    ...compare('directory', listed, everyone),
    ...compare(
      'profile',
      { ...profile, earnings: parseSol(profile.earnings ?? '0') },
      { ...everyone, ...own },
    ),
    ...compare('statistics', statistics, counts),
    ...(Object.keys(WINDOWS) as (keyof typeof WINDOWS)[]).flatMap((window) =>
      compare(
        `${WINDOW}${window}`,
        statistics.windows[window],
        naiveStatistics(ended.map(toHistory), { days: WINDOWS[window], now }),
      ),
    ),
    ...ended.flatMap((call) =>
      compare(call.id, { ppm: recordedPpm(call) }, { ppm: call.follower === null ? undefined : ppmOf(call) }),
    ),
    ...compareCalculations(responses, ended, now),
    ...listed.recentCalls.flatMap((call, index) => {
      const { entryPrice, endPrice, callTimestamp } = newest[index] ?? {};
      return compare(`recent call ${index}`, call, { entryPrice, endPrice, callTimestamp });
    }),
  ].map(({ name, ...each }) => ({ name: `${listed.twitterHandle} ${name}`, ...each }));
}

function compare(place: string, shown: object, recomputed: object): Compared[] {
  const values = shown as Readonly<Record<string, unknown>>;
  return Object.entries(recomputed).map(([name, value]) => ({
    name: `${place} ${name}`,
    shown: values[name],
    recomputed: value,
  }));
}

const toHistory = (call: CallDetail) => ({
  entryPrice: call.entryPrice,
  endPrice: call.endPrice ?? '',
  peakPrice: call.peak?.price ?? null,
  endedAt: timeOf(call.endTimestamp),
  isRanked: call.unrankedReason === null,
  doesGainCount: call.uncountedGainReason === null,
});

function recomputeCalls(ended: readonly CallDetail[]) {
  return {
    ...naiveSpecFigures(ended.map(toHistory)),
    endedCalls: ended.length,
    rankedCalls: ended.filter(({ unrankedReason }) => unrankedReason === null).length,
    lastCallTimestamp: ended.at(-1)?.endTimestamp ?? null,
  };
}

/** Compares the calculation from the public results with one from the calls' own pages. */
function compareCalculations({ listed, copied }: CallerResponses, ended: readonly CallDetail[], now: number) {
  const recorded = ended.filter(
    ({ unrankedReason, follower }) => unrankedReason === null && follower !== null,
  );
  const fee = Number(listed.monthlyFee ?? 0);
  const since = Math.min(...ended.map(({ callTimestamp }) => timeOf(callTimestamp)), now);
  return [1, 100, 5_000].flatMap((stakeUsd) => {
    const question = { stakeUsd, since, until: now };
    const { points: _shown, ...shown } = calculate({ callers: [{ fee, calls: copied }], ...question });
    const { points: _, ...recomputed } = naiveCalculation({
      callers: [{ fee, calls: recorded.map(toCopied) }],
      ...question,
    });
    return compare(`calculator with ${stakeUsd}`, shown, recomputed);
  });
}

const toCopied = (call: CallDetail): CopiedCall => {
  const markOf = (side: 'open' | 'end') => call.marks.find((mark) => mark.side === side) ?? null;
  const changePercent = call.changePercent ?? 0;
  return {
    ...call,
    endPrice: call.endPrice ?? '',
    endTimestamp: call.endTimestamp ?? '',
    changePercent,
    countedChange: call.uncountedGainReason === null ? changePercent : Math.min(0, changePercent),
    open: markOf('open'),
    end: markOf('end'),
  };
};

function recomputeFollowers({ calls }: CallerResponses, ended: readonly CallDetail[]) {
  const open = calls.filter(({ isActive }) => isActive).map(({ callTimestamp }) => timeOf(callTimestamp));
  const records = ended
    .filter(({ unrankedReason, follower }) => unrankedReason === null && follower !== null)
    .map((call): NaiveRecord => {
      const { tokenMint: mint, callTimestamp } = call;
      return { mint, calledAt: timeOf(callTimestamp), ppm: ppmOf(call), isLate: false };
    });
  const figures = naiveFigures(records.toReversed(), open.length === 0 ? null : Math.min(...open));
  const { calls: followerCalls, ...others } = figures;
  return { followerCalls, ...others };
}

/** The call's recorded result in millionths. Undefined without a record, null without a result. */
function recordedPpm({ follower }: CallDetail): number | null | undefined {
  if (follower === null) return undefined;
  return follower.percent === null ? null : Math.round(follower.percent * 10_000);
}

function ppmOf(call: CallDetail): number | null {
  const markOf = (side: 'open' | 'end') => {
    const mark = call.marks.find((each) => each.side === side);
    if (mark === undefined) return undefined;
    const { price, liquidityUsd } = mark;
    return price === null ? null : { price, liquidityUsd };
  };
  return naiveResult({
    entryPrice: call.entryPrice,
    endPrice: call.endPrice ?? '',
    isUncounted: call.uncountedGainReason !== null,
    open: markOf('open'),
    end: markOf('end'),
  });
}

function countAll({ calls, subscriptions }: CallerResponses) {
  const active = subscriptions.filter(({ isActive }) => isActive);
  return {
    totalCalls: calls.length,
    subscriberCount: new Set(active.map(({ subscriberId }) => subscriberId)).size,
  };
}

/** The caller's part of all payments, in lamports. */
function earnedBy({ subscriptions }: CallerResponses): bigint {
  return subscriptions
    .flatMap(({ payment }) => payment ?? [])
    .reduce(
      (sum, { totalAmount, platformFee }) =>
        sum + (parseSol(totalAmount) ?? 0n) - (parseSol(platformFee) ?? 0n),
      0n,
    );
}
