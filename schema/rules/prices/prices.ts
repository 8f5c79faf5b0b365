import { CLEARLY_MOVED_PERCENT, MAX_PRICE_DEVIATION_PERCENT } from '#schema/constants/prices.ts';

const PLAIN_DECIMAL = /^\d{1,30}(?:\.\d{1,30})?$/;

/**
 * Reads a source's price, which is a JSON number or a decimal string, with or without exponent.
 * @returns a plain decimal without trailing zeros, or null unless it's a finite number above 0
 */
export function readPrice(value: unknown): string | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const text = String(value).trim();
  if (!/^\d*\.?\d+(?:e[+-]?\d{1,3})?$/i.test(text)) return null;
  const plain = expandExponent(text);
  return PLAIN_DECIMAL.test(plain) && Number(plain) > 0 ? plain : null;
}

function expandExponent(text: string): string {
  const [mantissa = '', exponentText = '0'] = text.toLowerCase().split('e');
  const [whole = '', decimals = ''] = mantissa.split('.');
  const digits = whole + decimals;
  const point = whole.length + Number(exponentText);
  const left = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  const right = point > 0 ? digits.slice(point) : '0'.repeat(-point) + digits;
  const trimmedLeft = left.replace(/^0+(?=\d)/, '');
  const trimmedRight = right.replace(/0+$/, '');
  return trimmedRight === '' ? trimmedLeft : `${trimmedLeft}.${trimmedRight}`;
}

export function deviationPercent(price: string, reference: string): number {
  return (Math.abs(Number(price) - Number(reference)) / Number(reference)) * 100;
}

/** Tolerance for floating-point noise, in percent. 2.06 is computed as 3.0000000000000027% above 2. */
export const ROUNDING_PERCENT = 1e-9;

export function isTooFarApart(price: string, reference: string): boolean {
  return isOver(MAX_PRICE_DEVIATION_PERCENT, price, reference);
}

/**
 * True if the price that a user saw differs so much from `recent`, our own price of a few seconds ago, that
 * it is refused at once. The limit is higher than for two sources, because the user's price may be newer.
 */
export function hasClearlyMoved(seen: string, recent: string): boolean {
  return isOver(CLEARLY_MOVED_PERCENT, seen, recent);
}

function isOver(percent: number, price: string, reference: string): boolean {
  return deviationPercent(price, reference) > percent + ROUNDING_PERCENT;
}
