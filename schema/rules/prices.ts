import { MAX_PRICE_DEVIATION_PERCENT } from '#schema/constants.ts';

const PLAIN_DECIMAL = /^\d{1,30}(?:\.\d{1,30})?$/;

/**
 * Reads what a source calls a price (a JSON number or a decimal text, exponents included) as a plain
 * decimal string.
 *
 * @returns the price in USD without exponent or trailing zeros, or `null` when it is absent, zero,
 *   negative, not finite or not a number at all.
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

/** How far `price` is from `reference`, in percent of the reference, ≥ 0. Both are plain decimals above 0. */
export function deviationPercent(price: string, reference: string): number {
  return (Math.abs(Number(price) - Number(reference)) / Number(reference)) * 100;
}

/** What binary fractions blur, in percent: 2.06 is 3.0000000000000027% above 2. */
const ROUNDING_PERCENT = 1e-9;

/** Whether two prices are too far apart to be the same price. */
export function isTooFarApart(price: string, reference: string): boolean {
  return deviationPercent(price, reference) > MAX_PRICE_DEVIATION_PERCENT + ROUNDING_PERCENT;
}
