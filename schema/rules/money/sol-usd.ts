import { MAX_SOL_PRICE_AGE_MS } from '#schema/constants/money.ts';
import { formatDollars } from '../text/format.ts';
import { isFreeFee, parseSol } from './lamports.ts';

interface TimedPrice {
  readonly price: string;
  readonly at: string;
}

interface SolValue {
  readonly sol: string | null;
  readonly price: TimedPrice | null;
  readonly now: number;
}

export function isSolAmount(sol: string | null): sol is string {
  return sol !== null && !isFreeFee(parseSol(sol));
}

export function solPriceUntil({ at }: Pick<TimedPrice, 'at'>): number {
  return Date.parse(at) + MAX_SOL_PRICE_AGE_MS;
}

/**
 * Converts an amount in SOL to dollars, such as '≈ $75.00'. Returns null for zero, for an invalid amount, and
 * without a recent price. Only for display: no payment depends on it.
 */
export function describeSolInUsd({ sol, price, now }: SolValue): string | null {
  if (!isSolAmount(sol) || price === null) return null;
  const usd = Number(sol) * Number(price.price);
  if (!(usd > 0 && Number.isFinite(usd)) || !(now <= solPriceUntil(price))) return null;
  return formatDollars(usd);
}
