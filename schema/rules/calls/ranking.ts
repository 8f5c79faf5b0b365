import {
  type AUTOMATIC_ENDS,
  MIN_COUNTED_HOLD_MS,
  MIN_RANKED_LIQUIDITY_USD,
  MIN_RANKED_QUOTES,
  type UNCOUNTED_GAIN_REASONS,
  type UNRANKED_REASONS,
} from '#schema/constants.ts';
import type { SourceQuote } from '../prices/quotes.ts';

export type UnrankedReason = (typeof UNRANKED_REASONS)[number];
export type UncountedGainReason = (typeof UNCOUNTED_GAIN_REASONS)[number];
export type AutomaticEnd = (typeof AUTOMATIC_ENDS)[number];

/**
 * Decides from the usable quotes at a call's entry whether the call is ranked. Only the database can decide
 * `repeated_mint`.
 * @returns the reason it's unranked, or null if it's ranked
 */
export function unrankedReason(
  usable: readonly Pick<SourceQuote, 'liquidityUsd'>[],
): Exclude<UnrankedReason, 'repeated_mint'> | null {
  if (usable.length < MIN_RANKED_QUOTES) return 'one_source';
  return liquidityReason(usable.map(({ liquidityUsd }) => liquidityUsd));
}

/**
 * Checks the lowest liquidity (USD) that a source reports, because anyone can create a pool that looks deep
 * to one source. At least one source must report its liquidity.
 */
export function liquidityReason(
  amounts: readonly (number | null)[],
): 'thin_liquidity' | 'unknown_liquidity' | null {
  const known = amounts.filter(isAmount);
  if (known.length === 0) return 'unknown_liquidity';
  return Math.min(...known) < MIN_RANKED_LIQUIDITY_USD ? 'thin_liquidity' : null;
}

function isAmount(usd: number | null): usd is number {
  return usd !== null && Number.isFinite(usd) && usd >= 0;
}

export interface CallEnding {
  readonly isRanked: boolean;
  readonly changePercent: number;
  readonly heldMs: number;
  /** The usable quotes at the end. */
  readonly usable: readonly Pick<SourceQuote, 'liquidityUsd'>[];
}

/**
 * Decides at the end of a ranked call whether its gain counts. A loss always counts. For a gain, the quotes
 * must be as good as at the entry of a ranked call. Otherwise a few dollars could move the price of a token
 * with little liquidity.
 */
export function uncountedGainReason(ending: CallEnding): UncountedGainReason | null {
  if (!ending.isRanked || ending.changePercent <= 0) return null;
  if (ending.heldMs < MIN_COUNTED_HOLD_MS) return 'short_hold';
  return unrankedReason(ending.usable);
}
