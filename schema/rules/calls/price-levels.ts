import { MAX_TARGET_MULTIPLE, MIN_LEVEL_PERCENT, type CALL_LEVELS } from '#schema/constants/market.ts';
import { readPrice, ROUNDING_PERCENT } from '../prices/prices.ts';
import { changePercent } from './change-percent.ts';

/**
 * Reads a typed target or stop. Refuses exponents, because they are probably typing mistakes.
 * @returns a plain decimal in USD, or null if the text isn't a price above 0
 */
export function readLevel(text: string): string | null {
  return /e/i.test(text) ? null : readPrice(text);
}

export type CallLevel = (typeof CALL_LEVELS)[number];

export interface PriceLevels {
  readonly targetPrice: string | null;
  readonly stopPrice: string | null;
}

/** The rule for each level, as a sentence without its full stop. */
export const LEVEL_RULES: Readonly<Record<CallLevel, string>> = {
  target:
    `A target must be at least ${MIN_LEVEL_PERCENT}% above the entry price, ` +
    `and at most ${MAX_TARGET_MULTIPLE.toLocaleString('en-US')} times it`,
  stop: `A stop must be at least ${MIN_LEVEL_PERCENT}% below the entry price`,
};

export function contradictingLevel(
  { targetPrice, stopPrice }: PriceLevels,
  entryPrice: string,
): CallLevel | null {
  const minPercent = MIN_LEVEL_PERCENT - ROUNDING_PERCENT;
  if (targetPrice !== null) {
    const isTooHigh = Number(targetPrice) > Number(entryPrice) * MAX_TARGET_MULTIPLE;
    if (isTooHigh || changePercent(entryPrice, targetPrice) < minPercent) return 'target';
  }
  return stopPrice !== null && changePercent(entryPrice, stopPrice) > -minPercent ? 'stop' : null;
}
