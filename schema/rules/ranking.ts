import { MIN_RANKED_LIQUIDITY_USD } from '#schema/constants.ts';
import { isStale, type SourceQuote } from './quotes.ts';

export type UnrankedReason = 'thin_liquidity' | 'unknown_liquidity';

/**
 * Decides from the quotes at its entry whether a call is ranked. The highest liquidity counts, since a source may
 * know only one of several pools. Sources without a fresh price at `now` (unix ms) don't count.
 * @returns the reason it's unranked, or null if it's ranked
 */
export function unrankedReason(
  quotes: readonly Pick<SourceQuote, 'price' | 'quotedAt' | 'liquidityUsd'>[],
  now: number,
): UnrankedReason | null {
  const usable = quotes.filter(({ price, quotedAt }) => price !== null && !isStale({ at: quotedAt, now }));
  const amounts = usable.flatMap(({ liquidityUsd }) => (isAmount(liquidityUsd) ? [liquidityUsd] : []));
  if (amounts.length === 0) return 'unknown_liquidity';
  return Math.max(...amounts) < MIN_RANKED_LIQUIDITY_USD ? 'thin_liquidity' : null;
}

function isAmount(usd: number | null): usd is number {
  return usd !== null && Number.isFinite(usd) && usd >= 0;
}
