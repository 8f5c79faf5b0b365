import { CALL_AUTO_END_MS, MIN_COUNTED_HOLD_MS, UNPRICED_END_MS } from '#schema/constants/market.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { formatChange, formatRate, pluralize } from '../text/format.ts';
import { provenNeeds, type ProvenFigures } from './proven.ts';
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
  if (unrankedReason === 'micro_cap') return 'Micro-cap, so it counts in no ranking.';
  if (unrankedReason !== null) return 'Unranked, so it counts in no figure.';
  return uncountedGainReason === null ? null : 'The gain counts as 0% in all figures.';
}

/** @param from the time from which a gain counts, as the reader sees times */
export const shortHoldNote = (from: string): string =>
  `A gain doesn’t count yet. It does from ${from}, ${MIN_COUNTED_HOLD_MS / MINUTE_MS} minutes after the call. A loss always counts.`;

export function rankedSample(count: number): string {
  return `of ${pluralize(count, 'ranked call')}`;
}

/** Says how much is proven: 'At least +4.1% more SOL per call than holding it.', or what is missing. */
export function provenText(figures: ProvenFigures): string {
  const { proven } = figures;
  if (proven !== null) {
    return proven > 0
      ? `At least ${formatChange(proven)} more SOL per call than holding it.`
      : `Not proven: it may be ${formatRate(Math.abs(proven))} less SOL per call than holding it.`;
  }
  return `Too early: ${provenProgress(figures)}.`;
}

/** '16 of 20 results': what is furthest from enough. */
export function provenProgress(figures: Omit<ProvenFigures, 'proven'>): string {
  const { count, least, name } = provenNeeds(figures).reduce((one, other) =>
    other.count / other.least < one.count / one.least ? other : one,
  );
  return `${count} of ${least} ${name}`;
}
