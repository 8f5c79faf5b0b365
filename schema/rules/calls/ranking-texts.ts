import {
  CALL_AUTO_END_MS,
  MIN_PROVEN_DAYS,
  MIN_PROVEN_MINTS,
  UNPRICED_END_MS,
} from '#schema/constants/market.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { pluralize } from '../text/format.ts';
import type { AutomaticEnd, UncountedGainReason, UnrankedReason } from './ranking.ts';

export const automaticEndTexts: Readonly<Record<AutomaticEnd, string>> = {
  time_limit: `Ended automatically after ${CALL_AUTO_END_MS / DAY_MS} days`,
  caller_left: 'Ended automatically, because the caller deleted the account',
  no_price: `Ended automatically at 0, because no source had a price for ${UNPRICED_END_MS / DAY_MS} days`,
};

export interface RankingReasons {
  readonly unrankedReason: UnrankedReason | null;
  readonly uncountedGainReason: UncountedGainReason | null;
}

/** The badge of an unranked call, or of a gain that counts as 0%. Null for other calls. The text has no full stop. */
export function rankingBadge({ unrankedReason, uncountedGainReason }: RankingReasons): string | null {
  if (unrankedReason !== null) return unrankedReason === 'micro_cap' ? 'Micro-cap' : 'Unranked';
  return uncountedGainReason === null ? null : 'Gain counts as 0%';
}

export function rankingNote({ unrankedReason, uncountedGainReason }: RankingReasons): string | null {
  if (unrankedReason === 'micro_cap') return 'Micro-cap, so it counts in no figure.';
  if (unrankedReason !== null) return 'Unranked, so it counts in no figure.';
  return uncountedGainReason === null ? null : 'The gain counts as 0% in all figures.';
}

export function rankedSample(count: number): string {
  return `of ${pluralize(count, 'ranked call')}`;
}

/** Says how far a caller is from a Proven figure: '4 of 10 days, 7 of 10 mints'. */
export function provenProgress({
  provenDays,
  provenMints,
}: {
  provenDays: number;
  provenMints: number;
}): string {
  const [days, mints] = [Math.min(provenDays, MIN_PROVEN_DAYS), Math.min(provenMints, MIN_PROVEN_MINTS)];
  return `${days} of ${MIN_PROVEN_DAYS} days, ${mints} of ${MIN_PROVEN_MINTS} mints`;
}
