import { MIN_RANKED_LIQUIDITY_USD } from '#schema/constants.ts';
import type { UnrankedReason } from '#schema/contracts/calls.ts';
import { formatUsd } from '#schema/rules/format.ts';

/** Why a call is not ranked, as a sentence about its token. */
export const unrankedReasons: Readonly<Record<UnrankedReason, string>> = {
  thin_liquidity: `Less than ${formatUsd(MIN_RANKED_LIQUIDITY_USD)} of liquidity stands behind the token when it is called, and a few hundred dollars would move its price.`,
  unknown_liquidity: 'No source says how much liquidity stands behind the token when it is called.',
};

/** What that means for a call. */
export const UNRANKED_EFFECT = 'It stays on the record, and is left out of what callers are ranked by.';
