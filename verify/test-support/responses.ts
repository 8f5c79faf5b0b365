import { afterFee, copiedSums } from '#schema/rules/calls/after-fee.ts';
import { ACTIVE_CALLER_MS } from '#schema/constants/market.ts';
import { followerFigures } from '#schema/rules/calls/follower-figures.ts';
import { changePercent } from '#schema/rules/calls/change-percent.ts';
import { naiveAfterFeePercent, naiveSums } from '#schema/rules/calls/follower-return.test-model.ts';
import {
  averageReturn,
  countedCall,
  describeEndedCalls,
  filterEndedInLastDays,
  winRate,
} from '#schema/rules/calls/performance.ts';
import { callsOf, type BuiltCall } from './build.ts';
import { MINUTE, type BuiltEvent, type World } from './history.ts';

// An honest site's responses about a caller, by the product's rules.

type Ended = Required<Pick<BuiltCall, 'opened' | 'openIndex' | 'ended' | 'endIndex'>> & BuiltCall;

const FEE_SOL = 0.5;
const isoOf = (time: number) => new Date(time).toISOString();

const lastOf = (ended: readonly Ended[]) => {
  const [last] = ended.slice(-1);
  return last === undefined ? null : isoOf(last.ended.time);
};
const changeOf = ({ opened, ended }: Ended) => changePercent(opened.entryPrice, ended.endPrice);
const countedChange = (call: Ended) =>
  call.ended.uncounted === null ? changeOf(call) : Math.min(0, changeOf(call));

function isLate({ anchors, now }: World, index: number, time: number): boolean {
  if (now <= time + 15 * MINUTE) return false;
  return !anchors.some(({ size, at }) => size > index && at <= time + 15 * MINUTE);
}

export interface CallerState {
  readonly profile: Record<string, unknown>;
  readonly statistics: Record<string, unknown>;
  readonly calls: Record<string, unknown>[];
  readonly isListed: boolean;
  /** The calls that the directory draws. */
  readonly recentCalls: Record<string, unknown>[];
}

function isListed(own: readonly BuiltEvent[]): boolean {
  const last = own.findLast(({ kind }) => kind === 'named' || kind === 'deleted');
  const action = own.findLast((event) => event.kind === 'hidden' && event.action.endsWith('suspend'));
  return last?.kind === 'named' && !(action?.kind === 'hidden' && action.action === 'suspend');
}

/** The caller's fee, and SOL's price. The log doesn't have them. */
export const termsOf = (caller: string) => ({
  feeSol: caller.endsWith('0') ? 0 : FEE_SOL,
  solPrice: 150,
});

/** The site's responses about a caller at a size of the log. Null if the caller isn't known yet. */
export function callerAt(world: World, caller: string, size: number): CallerState | null {
  const own = world.events.slice(0, size).map((event) => event);
  const events = own.filter((event) => event.caller === caller);
  const named = events.findLast(({ kind }) => kind === 'named');
  if (named?.kind !== 'named') return null;
  const isDeleted = events.findLast(({ kind }) => kind === 'named' || kind === 'deleted')?.kind === 'deleted';
  const calls = [...callsOf(own).values()].filter(({ opened }) => opened.caller === caller);
  const ended = calls
    .filter((call): call is Ended => call.ended !== undefined)
    .sort(
      (one, other) => one.ended.time - other.ended.time || (one.opened.call < other.opened.call ? -1 : 1),
    );
  const ranked = ended.filter(({ opened }) => opened.unranked === null);
  const changes = ranked.map(countedChange);
  const open = calls.filter((call) => call.ended === undefined);
  const acts = calls
    .filter(({ opened }) => opened.unranked === null)
    .map(({ opened, ended: end }) => (end?.automatic === null ? end.time : opened.time));
  const results = ranked
    .flatMap((call) => {
      if (call.result === undefined) return [];
      const { opened, ended: end, openIndex, endIndex } = call;
      const isSomeLate = isLate(world, openIndex, opened.time) || isLate(world, endIndex, end.time);
      const { ppm, solPpm, copied } = call.result;
      const times = { calledAt: opened.time, endedAt: end.time };
      return [{ mint: opened.mint, ...times, ppm, solPpm, copied, isLate: isSomeLate }];
    })
    .reverse();
  const terms = { ...termsOf(caller), now: world.now };
  const oldestOpenAt = open[0]?.opened.time ?? null;
  const { calls: followerCalls, ...figures } = followerFigures(results, oldestOpenAt);
  return {
    isListed: isListed(events),
    profile: {
      id: caller,
      twitterHandle: isDeleted ? `deleted-${caller}` : named.handle.text,
      firstName: isDeleted ? 'Deleted caller' : 'The',
      lastName: isDeleted ? '' : named.handle.text,
      totalCalls: calls.length,
      activeCallCount: open.length,
      endedCalls: ended.length,
      rankedCalls: ranked.length,
      winRate: winRate(changes),
      avgReturn: averageReturn(changes),
      followerCalls,
      ...figures,
      afterFee: afterFee(copiedSums(results, oldestOpenAt), terms),
      afterFeePercent: naiveAfterFeePercent(naiveSums(results, oldestOpenAt), terms),
      isLeading: (figures.proven ?? 0) > 0 && Math.max(...acts) > world.now - ACTIVE_CALLER_MS,
      lastCallTimestamp: lastOf(ended),
      lastRankedCallTimestamp: lastOf(ranked),
    },
    statistics: statisticsOf(ended, world.now),
    recentCalls: ended.slice(-7).map(({ opened, ended: end }) => ({
      entryPrice: opened.entryPrice,
      endPrice: end.endPrice,
      callTimestamp: isoOf(opened.time),
    })),
    calls: ended
      .slice(-200)
      .reverse()
      .map((call) => describe(call, caller)),
  };
}

function statisticsOf(ended: readonly Ended[], now: number) {
  const ranked = ended.filter(({ opened }) => opened.unranked === null);
  const counted = ranked.map((call) =>
    countedCall({
      entryPrice: call.opened.entryPrice,
      endPrice: call.ended.endPrice,
      changePercent: changeOf(call),
      endedAt: call.ended.time,
      peakPrice: null,
      uncountedGainReason: call.ended.uncounted as 'short_hold' | null,
    }),
  );
  const within = (days: number) => describeEndedCalls(filterEndedInLastDays(counted, { days, now }));
  return {
    windows: { '30d': within(30), '90d': within(90), all: describeEndedCalls(counted) },
    unrankedCalls: ended.length - ranked.length,
    microCapCalls: ended.filter(({ opened }) => opened.unranked === 'micro_cap').length,
    uncountedGains: ranked.filter(({ ended: end }) => end.uncounted !== null).length,
  };
}

function describe({ opened, ended }: Ended, caller: string): Record<string, unknown> {
  const { thesis } = opened;
  const shown = thesis?.isWithdrawn === true ? 'Hidden by SolCallers' : thesis?.text;
  return {
    id: opened.call,
    callerId: caller,
    isActive: false,
    tokenMint: opened.mint,
    tokenSymbol: opened.symbol,
    entryPrice: opened.entryPrice,
    callTimestamp: isoOf(opened.time),
    endPrice: ended.endPrice,
    endTimestamp: isoOf(ended.time),
    changePercent: changePercent(opened.entryPrice, ended.endPrice),
    thesis: shown ?? null,
    targetPrice: opened.target,
    stopPrice: opened.stop,
    isPaidPromotion: opened.isPaidPromotion,
    unrankedReason: opened.unranked,
    uncountedGainReason: ended.uncounted,
    automaticEnd: ended.automatic,
  };
}

/** The public texts of names and ended calls at a size of the log, with their numbers. */
export function textsAt(world: World, numbers: readonly number[], caller: string, size: number) {
  const events = world.events.slice(0, size);
  const calls = callsOf(events);
  return events.flatMap((event, index) => {
    if (event.caller !== caller) return [];
    const isPublic = 'call' in event && event.call !== null && calls.get(event.call)?.ended !== undefined;
    const texts: Record<string, { text: string; salt: string; isWithdrawn?: boolean } | null> = {};
    if (event.kind === 'named') {
      const { handle, name, xId } = event;
      Object.assign(texts, { handle, name, xId });
    }
    if (event.kind === 'opened' && isPublic) texts['thesis'] = event.thesis;
    if (event.kind === 'updated' && isPublic) texts['text'] = event.text;
    return Object.entries(texts).flatMap(([name, text]) =>
      text === null || text.isWithdrawn === true
        ? []
        : [{ number: numbers[index], name, salt: text.salt, text: text.text }],
    );
  });
}
