import { readPrice } from './prices.ts';

/**
 * Reads a target or a stop as a person writes it.
 *
 * @returns the price in USD as a plain decimal without trailing zeros, or `null` for what is no price above 0. An exponent
 *   is refused too: nobody means one.
 */
export function readLevel(text: string): string | null {
  return /e/i.test(text) ? null : readPrice(text);
}

/** What a call says of where its price may go; all plain decimals in USD, `null` for none. */
export interface PriceLevels {
  readonly targetPrice: string | null;
  readonly stopPrice: string | null;
}

/** Which level contradicts the entry price: a target is above it, a stop below. `null` when neither does. */
export function contradictingLevel(
  { targetPrice, stopPrice }: PriceLevels,
  entryPrice: string,
): 'target' | 'stop' | null {
  if (targetPrice !== null && Number(targetPrice) <= Number(entryPrice)) return 'target';
  return stopPrice !== null && Number(stopPrice) >= Number(entryPrice) ? 'stop' : null;
}
