import {
  FOLLOWER_DELAY_MINUTES,
  FOLLOWER_STAKE_USD,
  FOLLOWER_STAKES_USD,
  MARK_DELAYS_MINUTES,
  MARK_WINDOW_MS,
  SWAP_FEE_PERCENT,
} from '#schema/constants.ts';
import type { CallSide } from '../prices/quotes.ts';

/** A recorded price (plain decimal in USD) and the token's liquidity at that time. */
export interface MarkPrice {
  readonly price: string;
  readonly liquidityUsd: number | null;
}

export interface Mark extends MarkPrice {
  readonly side: CallSide;
  readonly delayMinutes: number;
}

export interface FollowerTrade {
  readonly entry: MarkPrice;
  readonly end: MarkPrice;
  readonly stakeUsd: number;
}

const MILLION = 1e6;
const PPM_PER_PERCENT = 10_000;
/** The share of a swap's input that is left after the fee. */
export const SHARE_AFTER_SWAP_FEE = 1 - SWAP_FEE_PERCENT / 100;

/** True if a price that its source saw at `seenAt` is the mark that was due at `dueAt` (unix ms). */
export function isOnTime({ dueAt, seenAt }: { dueAt: number; seenAt: number }): boolean {
  return dueAt <= seenAt && seenAt <= dueAt + MARK_WINDOW_MS;
}

/** Returns the number of tokens that a stake in USD buys. */
export function tokensFor(stakeUsd: number, { price, reserveUsd }: { price: number; reserveUsd: number }) {
  const spent = stakeUsd * SHARE_AFTER_SWAP_FEE;
  return spent / (price * (1 + spent / reserveUsd));
}

/** Returns the proceeds in USD from selling a number of tokens. */
export function proceedsOf(tokens: number, { price, reserveUsd }: { price: number; reserveUsd: number }) {
  const worth = tokens * SHARE_AFTER_SWAP_FEE * price;
  return worth / (1 + worth / reserveUsd);
}

/**
 * Returns the profit or loss from buying at one mark and selling at the other, in millionths of the stake.
 * Both trades move the price of a constant-product pool (x × y = k) that has half of the mark's known
 * liquidity in USD, and pay its fee. The trigger `price_marks_count` has the same formula in SQL.
 * @returns null if a price or a liquidity is unknown
 */
export function followerReturnPpm({ entry, end, stakeUsd }: FollowerTrade): number | null {
  const [buying, selling] = [poolOf(entry), poolOf(end)];
  if (buying === null || selling === null) return null;
  const proceeds = proceedsOf(tokensFor(stakeUsd, buying), selling);
  return Math.floor((proceeds / stakeUsd - 1) * MILLION + 0.5);
}

function poolOf({ price, liquidityUsd }: MarkPrice) {
  const isKnown = Number(price) > 0 && liquidityUsd !== null && liquidityUsd > 0;
  return isKnown ? { price: Number(price), reserveUsd: liquidityUsd / 2 } : null;
}

/**
 * Limits the return to the call's own counted change (in percent), as the statistics count it. Otherwise a
 * caller could pump the token for the minute of the mark.
 */
export function countedReturnPpm(returnPpm: number, countedChange: number): number {
  return Math.min(returnPpm, Math.floor(countedChange * PPM_PER_PERCENT + 0.5));
}

/**
 * Returns a call's follower return in percent for one delay and stake. Null unless it has exactly one mark of
 * each side.
 */
export function followerReturn(
  marks: readonly Mark[],
  { delayMinutes = FOLLOWER_DELAY_MINUTES, stakeUsd = FOLLOWER_STAKE_USD } = {},
): number | null {
  const [open, end] = (['open', 'end'] as const).map((side) =>
    marks.filter((mark) => mark.side === side && mark.delayMinutes === delayMinutes),
  );
  if (open?.length !== 1 || end?.length !== 1 || !open[0] || !end[0]) return null;
  const ppm = followerReturnPpm({ entry: open[0], end: end[0], stakeUsd });
  return ppm === null ? null : ppm / PPM_PER_PERCENT;
}

/** Computes follower returns in percent: one row per delay, with one return per stake. */
export function followerReturns(marks: readonly Mark[]) {
  return MARK_DELAYS_MINUTES.map((delayMinutes) => ({
    delayMinutes,
    percents: FOLLOWER_STAKES_USD.map((stakeUsd) => followerReturn(marks, { delayMinutes, stakeUsd })),
  }));
}
