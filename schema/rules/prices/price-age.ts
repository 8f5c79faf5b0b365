import { MAX_FRESH_PRICE_AGE_MS } from '#schema/constants/prices.ts';
import { formatDuration } from '../text/format-durations.ts';

interface Timed {
  readonly at: string;
}

/** Returns a price's age in ms if it is too old to be shown as current, else null. */
export function staleAge({ at }: Timed, now: number): number | null {
  const age = now - Date.parse(at);
  return age > MAX_FRESH_PRICE_AGE_MS ? age : null;
}

export function freshUntil({ at }: Timed): number {
  return Date.parse(at) + MAX_FRESH_PRICE_AGE_MS;
}

export function formatPriceAge(age: number): string {
  return `${formatDuration(age)} old`;
}

export function youngerPrice<Price extends Timed>(
  one: Price | undefined,
  other: Price | undefined,
): Price | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Date.parse(other.at) > Date.parse(one.at) ? other : one;
}
