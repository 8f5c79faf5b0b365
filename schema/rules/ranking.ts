import { MIN_RANKED_LIQUIDITY_USD } from '#schema/constants.ts';
import { isStale, type SourceQuote } from './quotes.ts';

/** Under 10,000 USD behind the token, or nobody whose price counts could say how much. */
export type UnrankedReason = 'thin_liquidity' | 'unknown_liquidity';

/**
 * Whether a call counts for what callers are ranked by, from the quotes that were made for its entry; never asked again
 * afterwards. The greatest liquidity that any source named decides: one that knows a single pool of many names too little.
 * One without a price, or whose price is too old to be recorded at `now` (unix ms), has named nothing.
 *
 * @returns why it does not count, or `null` when it does.
 */
export function unrankedReason(
  quotes: readonly Pick<SourceQuote, 'price' | 'quotedAt' | 'liquidityUsd'>[],
  now: number,
): UnrankedReason | null {
  const counting = quotes.filter(({ price, quotedAt }) => price !== null && !isStale({ at: quotedAt, now }));
  const named = counting.flatMap(({ liquidityUsd }) => (isAmount(liquidityUsd) ? [liquidityUsd] : []));
  if (named.length === 0) return 'unknown_liquidity';
  return Math.max(...named) < MIN_RANKED_LIQUIDITY_USD ? 'thin_liquidity' : null;
}

/** A third party's number may be none. */
function isAmount(usd: number | null): usd is number {
  return usd !== null && Number.isFinite(usd) && usd >= 0;
}
