import {
  type AUTOMATIC_ENDS,
  MIN_COUNTED_HOLD_MS,
  type UNCOUNTED_GAIN_REASONS,
  type UNRANKED_REASONS,
} from '#schema/constants/market.ts';
import { MICRO_CAP_USD, MIN_POOL_AGE_MS, MIN_RANKED_QUOTES } from '#schema/constants/prices.ts';
import { STABLE_COIN_MINTS } from './stable-coin-mints.ts';
import type { SourceQuote } from '../prices/quotes.ts';

export type UnrankedReason = (typeof UNRANKED_REASONS)[number];
export type UncountedGainReason = (typeof UNCOUNTED_GAIN_REASONS)[number];
export type AutomaticEnd = (typeof AUTOMATIC_ENDS)[number];

export type MarketFigures = Pick<SourceQuote, 'liquidityUsd' | 'volume24hUsd' | 'poolCreatedAt'>;

export interface CallOpening {
  readonly mint: string;
  readonly quotes: readonly MarketFigures[];
  readonly usableCount: number;
  readonly now: number;
}

/**
 * Decides at a call's entry whether the call is ranked. Only the database can decide `repeated_mint`.
 * @returns the reason it's unranked, or null if it's ranked
 */
export function unrankedReason(opening: CallOpening): Exclude<UnrankedReason, 'repeated_mint'> | null {
  const { mint, quotes, usableCount, now } = opening;
  if (STABLE_COIN_MINTS.includes(mint)) return 'stablecoin';
  if (isMicroCap(quotes, now)) return 'micro_cap';
  return usableCount < MIN_RANKED_QUOTES ? 'one_source' : null;
}

interface LookedUpToken extends Pick<MarketFigures, 'liquidityUsd' | 'volume24hUsd'> {
  readonly mint: string;
  readonly price: string | null;
  readonly createdAt: string | null;
}

/** Why a call on this token would be unranked now, if enough sources price it. Null if no call can be opened. */
export function expectedUnrankedReason(
  { mint, price, createdAt, ...figures }: LookedUpToken,
  now: number,
): UnrankedReason | null {
  if (price === null) return null;
  const poolCreatedAt = createdAt === null ? null : Date.parse(createdAt);
  return unrankedReason({
    mint,
    quotes: [{ ...figures, poolCreatedAt }],
    usableCount: MIN_RANKED_QUOTES,
    now,
  });
}

/**
 * True unless liquidity, 24-hour volume and the pool's age reach their limits at each source that reports
 * them, and at least one source reports each. Each source counts, because anyone can create a pool that looks
 * deep to one of them.
 */
export function isMicroCap(figures: readonly MarketFigures[], now: number): boolean {
  const reach = (least: number, valueOf: (reported: MarketFigures) => number | null) => {
    const known = figures.map(valueOf).filter(isAmount);
    return known.length > 0 && Math.min(...known) >= least;
  };
  const isLargeEnough =
    reach(MICRO_CAP_USD, ({ liquidityUsd }) => liquidityUsd) &&
    reach(MICRO_CAP_USD, ({ volume24hUsd }) => volume24hUsd) &&
    reach(MIN_POOL_AGE_MS, ({ poolCreatedAt }) => poolCreatedAt && Math.max(0, now - poolCreatedAt));
  return !isLargeEnough;
}

function isAmount(value: number | null): value is number {
  return value !== null && Number.isFinite(value) && value >= 0;
}

export interface CallEnding {
  readonly isRanked: boolean;
  readonly changePercent: number;
  readonly heldMs: number;
  readonly usableCount: number;
}

/**
 * Decides at the end of a ranked call whether its gain counts. A loss always counts. For a gain, the call must
 * have been open long enough, and two sources must have a price, as they had at the entry.
 */
export function uncountedGainReason(ending: CallEnding): UncountedGainReason | null {
  if (!ending.isRanked || ending.changePercent <= 0) return null;
  if (ending.heldMs < MIN_COUNTED_HOLD_MS) return 'short_hold';
  return ending.usableCount < MIN_RANKED_QUOTES ? 'one_source' : null;
}
