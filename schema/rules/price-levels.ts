import type { CALL_LEVELS } from '#schema/constants.ts';
import { readPrice } from './prices.ts';

/**
 * Reads a typed target or stop. Refuses exponents, which nobody types on purpose.
 * @returns a plain decimal in USD, or null if it's no price above 0
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

/**
 * Returns the level on the wrong side of the entry price. A target must be above the entry, a stop below
 * it. Null if both are right.
 */
export function contradictingLevel(
  { targetPrice, stopPrice }: PriceLevels,
  entryPrice: string,
): 'target' | 'stop' | null {
  if (targetPrice !== null && Number(targetPrice) <= Number(entryPrice)) return 'target';
  return stopPrice !== null && Number(stopPrice) >= Number(entryPrice) ? 'stop' : null;
}
