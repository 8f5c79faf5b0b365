import { CALL_AUTO_END_MS, FOLLOWER_STAKES_USD, UNPRICED_END_MS } from '#schema/constants/market.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { formatChange, formatRate, formatUsd, pluralize } from '../text/format.ts';
import { formatGain } from '../text/gains.ts';
import type { AfterFee } from './after-fee.ts';
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
  const scarcest = provenNeeds(figures).reduce((one, other) =>
    other.count / other.least < one.count / one.least ? other : one,
  );
  return `Too early: ${scarcest.count} of ${scarcest.least} ${scarcest.name}.`;
}

/**
 * Says what a month with the smallest stake made: '+$43 a month after the fee, with $100 per call. SOL: -$19. Up to $1,500
 * at once. Pays for itself from about $170 per call.'
 */
export function afterFeeText({ feeUsd, stakes, paysFromUsd }: AfterFee): string {
  const [shown] = stakes;
  if (shown?.monthSolUsd == null) return 'Too early to say.';
  if (shown.monthUsd === null) return 'Unknown, because we don’t have SOL’s price now.';
  const isFree = feeUsd === 0;
  return [
    `${formatGain(shown.monthUsd)} a month${isFree ? '' : ' after the fee'}, with ${formatUsd(shown.stakeUsd)} per call.`,
    `SOL: ${formatGain(shown.monthSolUsd)}.`,
    `Up to ${formatUsd(shown.mostUsd)} at once.`,
    ...(isFree ? [] : [`Pays for itself ${describeCovering(paysFromUsd)}.`]),
  ].join(' ');
}

const describeCovering = (stakeUsd: number | null) =>
  stakeUsd === null
    ? `at no amount up to ${formatUsd(Math.max(...FOLLOWER_STAKES_USD))}`
    : `from about ${formatUsd(Math.max(1, Number(stakeUsd.toPrecision(2))))} per call`;
