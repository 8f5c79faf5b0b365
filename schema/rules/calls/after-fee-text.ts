import { FOLLOWER_STAKES_USD, MIN_AFTER_FEE_DAYS, MIN_PROVEN_RESULTS } from '#schema/constants/market.ts';
import { formatUsd } from '../text/format.ts';
import { formatGain } from '../text/gains.ts';
import type { AfterFee } from './after-fee.ts';

export type FollowerStake = (typeof FOLLOWER_STAKES_USD)[number];

export interface AfterFeeText {
  /** The gain a month. Null if it's too early to say, or without SOL's price. */
  readonly gainUsd: number | null;
  /** '+$43 a month after the fee' */
  readonly headline: string;
  /** 'SOL: -$19, pays from $170': the shortest terms, for tables. */
  readonly beside: string;
  /** 'with $100 per call. Holding SOL: -$19. Up to $1,500 at once.' */
  readonly details: string;
  /** 'Pays for itself from about $170 per call.' Empty for Free callers, and without a gain. */
  readonly breakEven: string;
  /** 'from $170' or 'at no amount'. Empty like `breakEven`. */
  readonly paysFrom: string;
}

const MOST = formatUsd(Math.max(...FOLLOWER_STAKES_USD));

const UNKNOWN: AfterFeeText = {
  gainUsd: null,
  headline: 'After the fee: unknown right now',
  beside: 'no SOL price',
  details: 'because SOL’s price is missing.',
  breakEven: '',
  paysFrom: '',
};

/** Says what a month with this stake in each call made. With a comma between them, headline and details are sentences. */
export function afterFeeText(
  { results, days, feeUsd, stakes, paysFromUsd }: AfterFee,
  stakeUsd: FollowerStake = FOLLOWER_STAKES_USD[0],
): AfterFeeText {
  const shown = stakes.find((stake) => stake.stakeUsd === stakeUsd);
  if (shown?.monthSolUsd == null) {
    const soFar =
      results < MIN_PROVEN_RESULTS
        ? `${results} of ${MIN_PROVEN_RESULTS} results`
        : `${days} of ${MIN_AFTER_FEE_DAYS} days with calls`;
    const headline = 'After the fee: too early to say';
    return { ...UNKNOWN, headline, beside: soFar, details: `${soFar} so far.` };
  }
  if (shown.monthUsd === null) return UNKNOWN;
  const isFree = feeUsd === 0;
  const sol = formatGain(shown.monthSolUsd);
  const least = paysFromUsd === null ? null : formatUsd(roundUp(paysFromUsd));
  const [paysFrom, whole] =
    least === null
      ? ['at no amount', `at no amount up to ${MOST}`]
      : [`from ${least}`, `from about ${least} per call`];
  // Large amounts move the price, so that a caller may pay from $350 and not anymore with $10,000.
  const isTooMuch = paysFromUsd !== null && stakeUsd >= paysFromUsd && shown.monthUsd < 0;
  const limit = isTooMuch ? `, but not with ${formatUsd(stakeUsd)}` : '';
  return {
    gainUsd: shown.monthUsd,
    headline: `${formatGain(shown.monthUsd)} a month${isFree ? '' : ' after the fee'}`,
    beside: isFree ? `SOL: ${sol}` : `SOL: ${sol}, pays ${paysFrom}`,
    details:
      `with ${formatUsd(stakeUsd)} per call. Holding SOL: ${sol}. ` +
      `Up to ${formatUsd(shown.mostUsd)} at once.`,
    breakEven: isFree ? '' : `Pays for itself ${whole}${limit}.`,
    paysFrom: isFree ? '' : paysFrom,
  };
}

/** Rounds dollars up to two digits. */
function roundUp(usd: number): number {
  const unit = Math.max(1, 10 ** (Math.floor(Math.log10(usd)) - 1));
  return Math.ceil(usd / unit) * unit;
}

export function afterFeeSentence(figures: AfterFee, stakeUsd?: FollowerStake): string {
  const { headline, details, breakEven } = afterFeeText(figures, stakeUsd);
  return `${headline}, ${details} ${breakEven}`.trim();
}
