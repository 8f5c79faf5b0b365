import type { Mark } from './entries.ts';

// The rules of the format: a call's change, and what a follower made.

const STAKE_USD = 1_000;
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

interface Followed {
  readonly endPrice: string;
  readonly change: number;
  readonly countedChange: number;
  readonly uncounted: string | null;
  readonly openedAt: number;
  readonly endedAt: number;
}

interface Marks {
  readonly open: Mark | null;
  readonly end: Mark | null;
}

/** The follower's result in millionths, in USD and beyond holding SOL, and the rule that decides it. */
export function followerResult(call: Followed, marks: Marks) {
  const { rule, ppm } = resultInUsd(call, marks);
  return { rule, ppm, solPpm: ppm === null ? null : resultInSol(call, marks, { rule, ppm }) };
}

function resultInUsd(call: Followed, { open, end }: Marks): { rule: string; ppm: number | null } {
  if (Number(call.endPrice) === 0) return { rule: 'ended_at_zero', ppm: TOTAL_LOSS };
  if (end?.liquidityUsd === 0) return { rule: 'no_liquidity', ppm: TOTAL_LOSS };
  const [buying, selling] = [poolOf(open), poolOf(end)];
  if (buying !== null && selling !== null) {
    const spent = STAKE_USD * SHARE_AFTER_FEE;
    const tokens = spent / (buying.price * (1 + spent / buying.reserve));
    const worth = tokens * SHARE_AFTER_FEE * selling.price;
    const proceeds = worth / (1 + worth / selling.reserve);
    const most = round(Math.min(call.countedChange, MAX_PERCENT) * PPM_PER_PERCENT);
    return { rule: 'marks', ppm: Math.min(round((proceeds / STAKE_USD - 1) * 1e6), most) };
  }
  return call.change < 0
    ? { rule: 'loss_without_mark', ppm: round(call.countedChange * PPM_PER_PERCENT) }
    : { rule: 'gain_without_mark', ppm: null };
}

function resultInSol(call: Followed, { open, end }: Marks, { rule, ppm }: { rule: string; ppm: number }) {
  const sol = Number(end?.solPriceUsd ?? 0) / Number(open?.solPriceUsd ?? 0);
  if (!(sol > 0 && sol < Infinity)) {
    return Math.min(rule === 'marks' ? round(call.change * PPM_PER_PERCENT) : ppm, 0);
  }
  const counts = call.uncounted === null && call.endedAt - call.openedAt >= MIN_HOLD_MS;
  return Math.min(round((1e6 + ppm) / sol - 1e6), counts ? MAX_PERCENT * PPM_PER_PERCENT : 0);
}
