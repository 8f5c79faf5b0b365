import { MIN_RANKED_LIQUIDITY_USD } from '#schema/constants.ts';
import type { UnrankedReason } from '#schema/contracts/calls.ts';
import { formatUsd } from '#schema/rules/format.ts';

export const unrankedReasons: Readonly<Record<UnrankedReason, string>> = {
  thin_liquidity: `The token has less than ${formatUsd(MIN_RANKED_LIQUIDITY_USD)} of liquidity at the time of the call, so a few hundred dollars could move its price.`,
  unknown_liquidity: "No source reports the token's liquidity at the time of the call.",
};

export const UNRANKED_EFFECT = "The call stays on the record but doesn't count toward rankings.";
