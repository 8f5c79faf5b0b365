import {
  CALL_AUTO_END_MS,
  MIN_COUNTED_HOLD_MS,
  REPEATED_MINT_MS,
  UNPRICED_END_MS,
} from '#schema/constants/market.ts';
import { MICRO_CAP_USD, MIN_POOL_AGE_MS } from '#schema/constants/prices.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { formatUsd } from '../text/format.ts';
import type { AutomaticEnd, UncountedGainReason, UnrankedReason } from './ranking.ts';

export const unrankedReasons: Readonly<Record<UnrankedReason, string>> = {
  stablecoin: 'The token is a stablecoin, so its price hardly moves.',
  micro_cap: `The token is a micro-cap: its liquidity or 24-hour volume is below ${formatUsd(MICRO_CAP_USD)} or unknown, or its pool is younger than ${MIN_POOL_AGE_MS / HOUR_MS} hours. Small sums could move its price.`,
  one_source: 'Only one price source had a usable price at the time of the call.',
  repeated_mint: `The caller had called the same token within the ${REPEATED_MINT_MS / HOUR_MS} hours before.`,
};

export const UNRANKED_EFFECT = "The call stays on the record but doesn't count in any figure or ranking.";

export const uncountedGainReasons: Readonly<Record<UncountedGainReason, string>> = {
  short_hold: `The call was open for less than ${MIN_COUNTED_HOLD_MS / MINUTE_MS} minutes.`,
  one_source:
    "No second price source confirmed the price when the call ended, or the token's issuer had changed how many tokens wallets show.",
};

export const UNCOUNTED_EFFECT = 'The gain counts as 0% and not as a win. A loss would have counted in full.';

export const automaticEndReasons: Readonly<Record<AutomaticEnd, string>> = {
  time_limit: `The caller had not ended the call after ${CALL_AUTO_END_MS / DAY_MS} days, so we ended it at the lowest price that our sources had.`,
  caller_left:
    'The caller deleted the account, so we ended the call at the lowest price that our sources had.',
  no_price: `No price source had a price for the token for ${UNPRICED_END_MS / DAY_MS} days, so the call ended at 0.`,
};
