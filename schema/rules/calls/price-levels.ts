import { MAX_TARGET_MULTIPLE, type CALL_LEVELS } from '#schema/constants.ts';
import { readPrice } from '../prices/prices.ts';

/**
 * Reads a typed target or stop. Refuses exponents, because they are probably typing mistakes.
 * @returns a plain decimal in USD, or null if the text isn't a price above 0
 */
export function readLevel(text: string): string | null {
  return /e/i.test(text) ? null : readPrice(text);
}

export type CallLevel = (typeof CALL_LEVELS)[number];

/** Plain decimals in USD; null if there is none. */
export interface PriceLevels {
  readonly targetPrice: string | null;
  readonly stopPrice: string | null;
}

/** The rule for each level, as a sentence without its full stop. */
export const LEVEL_RULES: Readonly<Record<CallLevel, string>> = {
  target: `A target must be above the entry price, and at most ${MAX_TARGET_MULTIPLE.toLocaleString('en-US')} times it`,
  stop: 'A stop must be below the entry price',
};

/** Returns the level that breaks its rule (`LEVEL_RULES`). Null if both are right. */
export function contradictingLevel(
  { targetPrice, stopPrice }: PriceLevels,
  entryPrice: string,
): CallLevel | null {
  const entry = Number(entryPrice);
  const target = targetPrice === null ? null : Number(targetPrice);
  if (target !== null && (target <= entry || target > entry * MAX_TARGET_MULTIPLE)) return 'target';
  return stopPrice !== null && Number(stopPrice) >= entry ? 'stop' : null;
}
