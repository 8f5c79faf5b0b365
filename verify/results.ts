import type { EndedEntry, Mark, MarkedEntry } from './entries.ts';

// The rules of the format: a call's change, and what a follower made.

const STAKE_USD = 1_000;
/** The stakes of After the fee. */
export const STAKES_USD = [100, STAKE_USD, 10_000];
const SHARE_AFTER_FEE = 1 - 0.3 / 100;
const MAX_PERCENT = 200;
const PPM_PER_PERCENT = 10_000;
const TOTAL_LOSS = -1_000_000;
const MIN_HOLD_MS = 10 * 60_000;

export const changeOf = (entryPrice: string, endPrice: string): number =>
  ((Number(endPrice) - Number(entryPrice)) / Number(entryPrice)) * 100;

/** Rounds a half up, even if doubles make it slightly smaller. */
const round = (ppm: number) => Math.floor(ppm + 0.500_000_01);

/** The price, and the reserve on each side of the pool. Null if a trade can't be computed. */
function poolOf(mark: Mark | null) {
  const price = Number(mark?.price ?? 0);
  const reserve = Number(mark?.liquidityUsd ?? 0) / 2;
  return price > 0 && reserve > 0 ? { price, reserve } : null;
}

type Followed = Pick<EndedEntry, 'endPrice' | 'uncounted'> &
  Readonly<Record<'change' | 'countedChange' | 'openedAt' | 'endedAt', number>>;
type Marks = Pick<MarkedEntry, 'open' | 'end'>;

/** In millionths: the result in USD and beyond holding SOL, what SOL itself made, and the result at each of STAKES_USD. */
export type FollowerResult = NonNullable<ReturnType<typeof followerResult>['result']>;

/** The follower's result, and the rule that decides it. */
export function followerResult(call: Followed, marks: Marks) {
  const { rule, ppm } = resultInUsd(call, marks, STAKE_USD);
  if (ppm === null) return { rule, result: null };
  const growth = solGrowth(marks);
  const sol = round(1e6 * (growth ?? 1) - 1e6);
  const isCounted = call.uncounted === null && call.endedAt - call.openedAt >= MIN_HOLD_MS;
  // A gain that a rule sets to 0 is at most that of SOL.
  const most = growth !== null && isCounted ? Infinity : sol;
  const copied = STAKES_USD.map((usd) => Math.min(resultInUsd(call, marks, usd).ppm ?? 0, most));
  const unpriced = Math.min(rule === 'marks' ? round(call.change * PPM_PER_PERCENT) : ppm, 0);
  const priced = Math.min(
    round((1e6 + ppm) / (growth ?? 1) - 1e6),
    isCounted ? MAX_PERCENT * PPM_PER_PERCENT : 0,
  );
  return { rule, result: { ppm, solPpm: growth === null ? unpriced : priced, sol, copied } };
}

function resultInUsd(
  call: Followed,
  { open, end }: Marks,
  stakeUsd: number,
): { rule: string; ppm: number | null } {
  if (Number(call.endPrice) === 0) return { rule: 'ended_at_zero', ppm: TOTAL_LOSS };
  if (end?.liquidityUsd === 0) return { rule: 'no_liquidity', ppm: TOTAL_LOSS };
  const [buying, selling] = [poolOf(open), poolOf(end)];
  if (buying !== null && selling !== null) {
    const spent = stakeUsd * SHARE_AFTER_FEE;
    const tokens = spent / (buying.price * (1 + spent / buying.reserve));
    const worth = tokens * SHARE_AFTER_FEE * selling.price;
    const proceeds = worth / (1 + worth / selling.reserve);
    const most = round(Math.min(call.countedChange, MAX_PERCENT) * PPM_PER_PERCENT);
    return { rule: 'marks', ppm: Math.min(round((proceeds / stakeUsd - 1) * 1e6), most) };
  }
  return call.change < 0
    ? { rule: 'loss_without_mark', ppm: round(call.countedChange * PPM_PER_PERCENT) }
    : { rule: 'gain_without_mark', ppm: null };
}

/** SOL's price at the end divided by the one at the opening. Null if one is missing. */
function solGrowth({ open, end }: Marks): number | null {
  const growth = Number(end?.solPriceUsd ?? 0) / Number(open?.solPriceUsd ?? 0);
  return growth > 0 && growth < Infinity ? growth : null;
}
