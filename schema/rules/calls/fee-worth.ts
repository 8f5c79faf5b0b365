import { MAX_CALCULATOR_STAKE_USD } from '#schema/constants/market.ts';
import { SUBSCRIPTION_PERIOD_MS } from '#schema/constants/money.ts';
import { calculate, type CopiedCall } from './calculator.ts';

/** The average result of following for 30 days, before the subscription fee. Amounts are in USD. */
export interface FeeWorth {
  readonly calls: number;
  readonly monthlyGainUsd: number;
  /**
   * The lowest amount per call whose gain would have covered the fee. Null if no amount would have, because large
   * amounts move the price.
   */
  readonly coveringStakeUsd: number | null;
  readonly highestCoveringUsd: number | null;
}

interface FeeWorthInput {
  readonly calls: readonly CopiedCall[];
  readonly stakeUsd: number;
  readonly feeUsd: number;
  readonly now: number;
}

/** Compares the fee with the results since the first call. Null without 30 days of results. */
export function feeWorth({ calls, stakeUsd, feeUsd, now }: FeeWorthInput): FeeWorth | null {
  const since = Math.min(...calls.map(({ callTimestamp }) => Date.parse(callTimestamp)));
  const months = (now - since) / SUBSCRIPTION_PERIOD_MS;
  if (!(months >= 1)) return null;
  const copy = (amount: number) =>
    calculate({ callers: [{ fees: [], calls }], stakeUsd: amount, since, until: now });
  const { calls: count, gainUsd } = copy(stakeUsd);
  if (count === 0) return null;
  const covers = (amount: number) => copy(amount).gainUsd / months >= feeUsd;
  const coveringStakeUsd = lowest(covers);
  const tooHighUsd =
    coveringStakeUsd === null ? null : lowest((amount) => amount > coveringStakeUsd && !covers(amount));
  return {
    calls: count,
    monthlyGainUsd: gainUsd / months,
    coveringStakeUsd,
    highestCoveringUsd: tooHighUsd === null ? null : tooHighUsd - 1,
  };
}

function lowest(passes: (amount: number) => boolean): number | null {
  let high = 1;
  while (!passes(high)) {
    if (high >= MAX_CALCULATOR_STAKE_USD) return null;
    high = Math.min(2 * high, MAX_CALCULATOR_STAKE_USD);
  }
  let low = Math.floor(high / 2);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (passes(middle)) high = middle;
    else low = middle;
  }
  return high;
}
