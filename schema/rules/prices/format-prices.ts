import { formatCompact, grouped, LARGE_AMOUNT } from '../text/format.ts';

/** The lowest price that eight decimals show with at least two significant digits. */
const TINY_PRICE = 1e-7;
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';

/** Formats a price with 8 decimals below 0.01, otherwise with 4. This is the default. */
export function formatPrice(price: string | number): string {
  return formatDecimals(price, Number(price) < 0.01 ? 8 : 4);
}

/** Formats a price in a caller's own lists of calls. It has 8 decimals below 0.01, otherwise 6. */
export function formatCallerListPrice(price: string | number): string {
  return formatDecimals(price, Number(price) < 0.01 ? 8 : 6);
}

export function formatProfilePrice(price: string | number): string {
  return formatDecimals(price, 8);
}

/** Formats a price on Recent Calls. It is 'N/A' if it is missing or zero. It has 2 decimals from 1 up, otherwise 8. */
export function formatRecentCallPrice(price: string | number | null | undefined): string {
  const value = Number(price ?? 0);
  if (!(value > 0)) return 'N/A';
  return formatDecimals(value, value >= 1 ? 2 : 8);
}

/**
 * Formats a price with this many decimals. A tiny price becomes '0.0₉12' (nine zeros after the point), and a
 * huge price becomes '1.2B'. 0 becomes '0', which is the end price of a token without a price.
 */
function formatDecimals(price: string | number, decimals: number): string {
  const value = Number(price);
  if (value === 0) return '0';
  if (Math.abs(value) >= LARGE_AMOUNT) return formatCompact(value);
  const text = grouped(value, decimals);
  return Math.abs(value) < TINY_PRICE && Number(text) !== value ? formatTiny(value) : text;
}

function formatTiny(value: number): string {
  const [digits = '', exponent = ''] = Math.abs(value).toExponential(3).split('e');
  const zeros = [...String(-Number(exponent) - 1)].map((digit) => SUBSCRIPTS[Number(digit)]).join('');
  return `${value < 0 ? '-' : ''}0.0${zeros}${digits.replace('.', '').replace(/0+$/, '')}`;
}
