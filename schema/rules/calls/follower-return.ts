import {
  FOLLOWER_STAKE_USD,
  FOLLOWER_STAKES_USD,
  MARK_DELAY_MS,
  MARK_WINDOW_MS,
  MAX_FOLLOWER_RESULT_PERCENT,
  MIN_COUNTED_HOLD_MS,
  SWAP_FEE_PERCENT,
  type FOLLOWER_RULES,
} from '#schema/constants/market.ts';

/** The rule that decided the follower result of a call. */
export type FollowerRule = (typeof FOLLOWER_RULES)[number];

/** The recorded prices of the token and of SOL (plain decimals in USD), and the token's liquidity at that time. */
export interface Mark {
  readonly price: string | null;
  readonly liquidityUsd: number | null;
  readonly solPriceUsd: string | null;
}

export interface FollowedCall {
  readonly endPrice: string;
  readonly changePercent: number;
  /** The change that counts: 0 if the gain is set to 0%. */
  readonly countedChange: number;
  /** Null if no source had a price for the token or SOL, or none was asked. */
  readonly open: Mark | null;
  readonly end: Mark | null;
}

export interface FollowerResult {
  readonly rule: FollowerRule;
  readonly ppm: number | null;
}

const MILLION = 1e6;
export const PPM_PER_PERCENT = 10_000;
const TOTAL_LOSS_PPM = -100 * PPM_PER_PERCENT;
export const SHARE_AFTER_SWAP_FEE = 1 - SWAP_FEE_PERCENT / 100;

/** True if a price seen at `seenAt` can be the mark of a call that was made or ended at `at` (unix ms). */
export function isMark({ at, seenAt }: { at: number; seenAt: number }): boolean {
  const dueAt = at + MARK_DELAY_MS;
  return dueAt <= seenAt && seenAt <= dueAt + MARK_WINDOW_MS;
}

export function tokensFor(stakeUsd: number, { price, reserveUsd }: { price: number; reserveUsd: number }) {
  const spent = stakeUsd * SHARE_AFTER_SWAP_FEE;
  return spent / (price * (1 + spent / reserveUsd));
}

export function proceedsOf(tokens: number, { price, reserveUsd }: { price: number; reserveUsd: number }) {
  const worth = tokens * SHARE_AFTER_SWAP_FEE * price;
  return worth / (1 + worth / reserveUsd);
}

/**
 * Computes what a follower made who bought at the first mark and sold at the second one. Both trades pay a fee
 * and move the price of a constant-product pool (x × y = k) that has half of the mark's liquidity on each side.
 * The result is never above the change that counts, because a caller could pump the token for the minute of
 * the mark.
 */
export function followerResult(call: FollowedCall, stakeUsd: number = FOLLOWER_STAKE_USD): FollowerResult {
  const { endPrice, changePercent, countedChange, open, end } = call;
  if (Number(endPrice) === 0) return { rule: 'ended_at_zero', ppm: TOTAL_LOSS_PPM };
  if (end?.liquidityUsd === 0) return { rule: 'no_liquidity', ppm: TOTAL_LOSS_PPM };
  const [buying, selling] = [poolOf(open), poolOf(end)];
  if (buying !== null && selling !== null) {
    const proceeds = proceedsOf(tokensFor(stakeUsd, buying), selling);
    const most = Math.min(countedChange, MAX_FOLLOWER_RESULT_PERCENT);
    return {
      rule: 'marks',
      ppm: Math.min(roundPpm((proceeds / stakeUsd - 1) * MILLION), percentToPpm(most)),
    };
  }
  return changePercent < 0
    ? { rule: 'loss_without_mark', ppm: percentToPpm(countedChange) }
    : { rule: 'gain_without_mark', ppm: null };
}

interface HeldCall extends FollowedCall {
  readonly calledAt: number;
  readonly endedAt: number;
}

/**
 * Computes how much more SOL the follower had than by holding it, in millionths and at most +200%. A gain counts as 0 if
 * the call's gain counts as 0%, if the call was held too shortly, or without SOL's price.
 */
export function resultInSol(call: HeldCall, { rule, ppm }: FollowerResult): number | null {
  if (ppm === null) return null;
  const sol = solPricesOf(call);
  if (sol === null) return Math.min(0, rule === 'marks' ? percentToPpm(call.changePercent) : ppm);
  const most = isUncounted(call) ? 0 : MAX_FOLLOWER_RESULT_PERCENT * PPM_PER_PERCENT;
  return Math.min(most, roundPpm(((MILLION + ppm) * sol.bought) / sol.sold - MILLION));
}

/** The gains of followers and of SOL between a call's marks, in millionths of the stake. */
export interface CopiedResult {
  /** For each of FOLLOWER_STAKES_USD. Where a rule sets a gain to 0, it's at most SOL's change. */
  readonly ppm: readonly number[];
  /** SOL's change in USD; 0 without its price at both marks. */
  readonly sol: number;
}

/** Null if the call has no result. */
export function copiedResult(call: HeldCall): CopiedResult | null {
  const prices = solPricesOf(call);
  const sol = prices === null ? 0 : roundPpm((MILLION * prices.sold) / prices.bought - MILLION);
  const most = prices === null || isUncounted(call) ? sol : Infinity;
  const ppm = FOLLOWER_STAKES_USD.flatMap((stakeUsd) => followerResult(call, stakeUsd).ppm ?? []);
  return ppm.length === 0 ? null : { ppm: ppm.map((each) => Math.min(each, most)), sol };
}

const isUncounted = ({ changePercent, countedChange, calledAt, endedAt }: HeldCall) =>
  countedChange < changePercent || endedAt - calledAt < MIN_COUNTED_HOLD_MS;

/** SOL's price in USD at both marks. Null if one of them has none. */
function solPricesOf({ open, end }: FollowedCall) {
  const [bought, sold] = [Number(open?.solPriceUsd ?? 0), Number(end?.solPriceUsd ?? 0)];
  return bought > 0 && sold > 0 ? { bought, sold } : null;
}

export const resultsByStake = (call: FollowedCall): (number | null)[] =>
  FOLLOWER_STAKES_USD.map((stakeUsd) => {
    const { ppm } = followerResult(call, stakeUsd);
    return ppm === null ? null : ppm / PPM_PER_PERCENT;
  });

/** A pool with the mark's price and half of its liquidity. Null if a trade can't be computed. */
function poolOf(mark: Mark | null) {
  const [price, liquidityUsd] = [Number(mark?.price ?? 0), mark?.liquidityUsd ?? 0];
  return price > 0 && liquidityUsd > 0 ? { price, reserveUsd: liquidityUsd / 2 } : null;
}

/** A half that doubles make slightly too small is rounded up, too, so that the verifier gets the same number. */
const roundPpm = (ppm: number) => Math.floor(ppm + 0.500_000_01);
const percentToPpm = (percent: number) => roundPpm(percent * PPM_PER_PERCENT);
