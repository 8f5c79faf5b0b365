import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { skipN } from 'pure-rand/utils/skipN';
import { expect, test } from 'vitest';
import { CALL_AUTO_END_MS, FOLLOWER_FIGURES_CALLS } from '#schema/constants/market.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { followerFigures, type RecordedResult } from './follower-figures.ts';

const WORLDS = 30;
const CALLERS = 2_000;
const SKILLED_SHARE = 0.05;
const DAYS = 200;
/** The standard deviation of the market factor, in percent a day. */
const MARKET_DEVIATION = 5;
const FIRST = 20;
const CHEATS = 100;
const LONG_HISTORY = 60;
/** Fees and slippage of a follower, in percent per call. */
const COSTS = 1.6;

/** Numbers to skip, because the first numbers of similar seeds are similar. */
const SKIPPED = 4;

function createRandom(seed: number) {
  const generator = xoroshiro128plus(seed);
  skipN(generator, SKIPPED);
  const share = () => uniformFloat64(generator);
  const between = (from: number, to: number) => from + share() * (to - from);
  const normal = () => Math.sqrt(-2 * Math.log(1 - share())) * Math.cos(2 * Math.PI * share());
  return { share, between, normal };
}

type Random = ReturnType<typeof createRandom>;

interface ModelCaller {
  readonly isSkilled: boolean;
  /** Percent per call after costs. */
  readonly mean: number;
  readonly deviation: number;
  readonly callsPerDay: number;
  /** The first day of the record. */
  readonly joinedOn: number;
}

interface Listed {
  readonly isSkilled: boolean;
  readonly isProven: boolean;
  readonly average: number;
}

/** A market factor in percent that moves all calls of a day. */
const marketOf = ({ normal }: Random) => Array.from({ length: DAYS }, () => MARKET_DEVIATION * normal());

function callerOf({ share, between }: Random): ModelCaller {
  const isSkilled = share() < SKILLED_SHARE;
  return {
    isSkilled,
    mean: isSkilled ? between(5, 10) : between(-6, 0),
    deviation: between(20, 40),
    callsPerDay: between(0.1, 1),
    joinedOn: Math.floor(share() * DAYS),
  };
}

/** Each result, oldest first. Gains and losses are as skewed as those of tokens: many small losses, few large gains. */
function resultsOf(
  { mean, deviation, callsPerDay }: ModelCaller,
  { share, normal }: Random,
  market: readonly number[],
): RecordedResult[] {
  const results: RecordedResult[] = [];
  const own = Math.sqrt(Math.max(1, deviation ** 2 - MARKET_DEVIATION ** 2));
  for (let day = 0; day < DAYS; day++) {
    for (let left = callsPerDay; left > 0; left--) {
      if (share() >= left) continue;
      const percent = Math.min(200, Math.max(-100, mean + (market[day] ?? 0) + own * normal()));
      const calledAt = (20_000 + day) * DAY_MS + Math.floor(share() * DAY_MS);
      results.push({
        mint: String(Math.floor(share() * 300)),
        calledAt,
        ppm: Math.round(percent * 10_000),
        isLate: false,
      });
    }
  }
  return results;
}

const newestFirst = (results: readonly RecordedResult[]) =>
  results.toReversed().slice(0, FOLLOWER_FIGURES_CALLS);

function listed(caller: Pick<ModelCaller, 'isSkilled'>, results: readonly RecordedResult[]): Listed {
  const { proven } = followerFigures(newestFirst(results), null);
  const sum = results.reduce((total, { ppm }) => total + (ppm ?? 0), 0);
  return {
    isSkilled: caller.isSkilled,
    isProven: (proven ?? 0) > 0,
    average: results.length === 0 ? -Infinity : sum / results.length,
  };
}

/** The share of skilled callers among the first by the default order, or by plain Avg Return. */
function skilledShare(callers: readonly Listed[], isGrouped: boolean): number {
  const first = callers
    .toSorted(
      (one, other) =>
        (isGrouped ? Number(other.isProven) - Number(one.isProven) : 0) || other.average - one.average,
    )
    .slice(0, FIRST);
  return first.filter(({ isSkilled }) => isSkilled).length / FIRST;
}

/** Calls until Proven is above 0; null if it never is. */
function callsUntilProven(results: readonly RecordedResult[]): number | null {
  for (let count = 10; count <= results.length; count++) {
    const { proven } = followerFigures(newestFirst(results.slice(0, count)), null);
    if (proven !== null && proven > 0) return count;
  }
  return null;
}

/**
 * A caller without skill who ends winners at once and keeps losers open until they are ended automatically, in a market
 * without drift. Returns true if Proven is above 0 at the end.
 */
function isCheatProven({ normal }: Random): boolean {
  const open: { mint: string; calledAt: number; percent: number; openedOn: number }[] = [];
  const results: RecordedResult[] = [];
  for (let day = 0; day < DAYS; day++) {
    for (const call of open.splice(0)) {
      const percent = (1 + call.percent / 100) * Math.exp(0.1 * normal() - 0.005) * 100 - 100;
      const hasEnded = percent >= 20 || day - call.openedOn >= CALL_AUTO_END_MS / DAY_MS;
      if (!hasEnded) open.push({ ...call, percent });
      else {
        const { mint, calledAt } = call;
        results.push({ mint, calledAt, ppm: Math.round((percent - COSTS) * 10_000), isLate: false });
      }
    }
    const calledAt = (20_000 + day) * DAY_MS;
    open.push({ mint: `cheat-${day}`, calledAt, percent: 0, openedOn: day });
  }
  const { proven } = followerFigures(newestFirst(results), open[0]?.calledAt ?? null);
  return (proven ?? 0) > 0;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Infinity;

test(`in ${WORLDS} simulations, the default order favours skilled callers, and few others become Proven`, () => {
  const shares: number[] = [];
  const plainShares: number[] = [];
  const waits: number[] = [];
  const unskilled: number[] = [];
  const cheats: boolean[] = [];
  for (let world = 0; world < WORLDS; world++) {
    const random = createRandom(world);
    const market = marketOf(random);
    const callers = Array.from({ length: CALLERS }, () => callerOf(random)).map((caller) => {
      const results = resultsOf(caller, random, market);
      // Callers with a short history may not become Proven in time.
      const isLong = results.length >= LONG_HISTORY;
      if (caller.isSkilled && isLong) waits.push(callsUntilProven(results) ?? Infinity);
      const since = (20_000 + caller.joinedOn) * DAY_MS;
      return listed(
        caller,
        results.filter(({ calledAt }) => calledAt >= since),
      );
    });
    shares.push(skilledShare(callers, true));
    plainShares.push(skilledShare(callers, false));
    const others = callers.filter(({ isSkilled }) => !isSkilled);
    for (let cheat = 0; cheat < CHEATS; cheat++) cheats.push(isCheatProven(random));
    unskilled.push(others.filter(({ isProven }) => isProven).length / others.length);
  }
  const figures = {
    skilledAmongFirst: mean(shares),
    skilledByPlainAverage: mean(plainShares),
    callsUntilProven: median(waits),
    unskilledProven: mean(unskilled),
    cheatsProven: mean(cheats.map(Number)),
  };
  console.log(JSON.stringify(figures));
  expect(figures.skilledAmongFirst).toBeGreaterThanOrEqual(0.6);
  expect(figures.callsUntilProven).toBeLessThanOrEqual(40);
  expect(figures.unskilledProven).toBeLessThanOrEqual(0.05);
  expect(figures.cheatsProven).toBeLessThanOrEqual(0.05);
});
