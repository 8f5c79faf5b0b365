import {
  DAY_MS,
  HOUR_MS,
  CALL_AUTO_END_MS,
  MIN_COUNTED_HOLD_MS,
  MIN_RANKED_LIQUIDITY_USD,
  MINUTE_MS,
  REPEATED_MINT_MS,
  UNPRICED_END_MS,
} from '#schema/constants.ts';
import type { AutomaticEnd, UncountedGainReason, UnrankedReason } from '#schema/contracts/calls.ts';
import { formatUsd } from '#schema/rules/text/format.ts';

export const unrankedReasons: Readonly<Record<UnrankedReason, string>> = {
  one_source: 'Only one price source had a usable price at the time of the call.',
  thin_liquidity: `The token has less than ${formatUsd(MIN_RANKED_LIQUIDITY_USD)} of liquidity at the time of the call, so a few hundred dollars could move its price.`,
  unknown_liquidity: "No source reports the token's liquidity at the time of the call.",
  repeated_mint: `The caller had called the same token within the ${REPEATED_MINT_MS / HOUR_MS} hours before.`,
};

export const UNRANKED_EFFECT = "The call stays on the record but doesn't count in any figure or ranking.";

export const uncountedGainReasons: Readonly<Record<UncountedGainReason, string>> = {
  short_hold: `The call was open for less than ${MIN_COUNTED_HOLD_MS / MINUTE_MS} minutes.`,
  one_source: 'Only one price source had a usable price when the call ended.',
  thin_liquidity: `The token had less than ${formatUsd(MIN_RANKED_LIQUIDITY_USD)} of liquidity when the call ended, so a few hundred dollars could move its price.`,
  unknown_liquidity: "No source reported the token's liquidity when the call ended.",
};

export const UNCOUNTED_EFFECT = 'The gain counts as 0% and not as a win. A loss would have counted in full.';

export const automaticEndReasons: Readonly<Record<AutomaticEnd, string>> = {
  time_limit: `The caller had not ended the call after ${CALL_AUTO_END_MS / DAY_MS} days, so we ended it at the market price.`,
  no_price: `No price source had a price for the token for ${UNPRICED_END_MS / DAY_MS} days, so the call ended at 0.`,
};
