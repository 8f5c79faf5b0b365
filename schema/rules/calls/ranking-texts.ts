import { DAY_MS, CALL_AUTO_END_MS, MIN_RANKED_CALLS, UNPRICED_END_MS } from '#schema/constants.ts';
import { pluralize } from '../text/format.ts';
import type { AutomaticEnd, UncountedGainReason, UnrankedReason } from './ranking.ts';

/** Texts without a full stop at their end. */
export const automaticEndTexts: Readonly<Record<AutomaticEnd, string>> = {
  time_limit: `Ended automatically after ${CALL_AUTO_END_MS / DAY_MS} days`,
  caller_left: 'Ended automatically, because the caller deleted the account',
  no_price: `Ended automatically at 0, because no source had a price for ${UNPRICED_END_MS / DAY_MS} days`,
};

export interface RankingReasons {
  readonly unrankedReason: UnrankedReason | null;
  readonly uncountedGainReason: UncountedGainReason | null;
}

/**
 * The badge of an unranked call, or of a gain that counts as 0%. Null for other calls. The text has no full
 * stop.
 */
export function rankingBadge({ unrankedReason, uncountedGainReason }: RankingReasons): string | null {
  if (unrankedReason !== null) return unrankedReason === 'micro_cap' ? 'Micro-cap' : 'Unranked';
  return uncountedGainReason === null ? null : 'Gain counts as 0%';
}

/** Explains `rankingBadge` in a sentence, for people who may not know which calls count. */
export function rankingNote({ unrankedReason, uncountedGainReason }: RankingReasons): string | null {
  if (unrankedReason === 'micro_cap') return 'Micro-cap, so it counts in no figure.';
  if (unrankedReason !== null) return 'Unranked, so it counts in no figure.';
  return uncountedGainReason === null ? null : 'The gain counts as 0% in all figures.';
}

/**
 * Formats the number of calls behind a caller's rates: '48 ranked calls', or '3 of 5 ranked calls' if they
 * are too few to compare.
 */
export function formatRankedCalls(count: number): string {
  return count < MIN_RANKED_CALLS
    ? `${count} of ${MIN_RANKED_CALLS} ranked calls`
    : pluralize(count, 'ranked call');
}

/** The note below a figure: 'of 48 ranked calls', or '3 of 5 ranked calls'. */
export function rankedSample(count: number): string {
  return count < MIN_RANKED_CALLS ? formatRankedCalls(count) : `of ${formatRankedCalls(count)}`;
}
