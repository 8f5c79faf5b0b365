import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { isFreeFee, parseSol } from '../money/lamports.ts';

export const LARGE_RATIO = 100_000;
export const LARGE_AMOUNT = 1e9;
/** The lowest value that would be rounded to '1000.0T'. */
const COMPACT_LIMIT = 999.95e12;
/** From here on, JavaScript writes numbers with an exponent. */
const LEAST_WITH_EXPONENT = 1e21;
const COMPACT = {
  notation: 'compact',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: 'negative',
} as const;

/**
 * Formats a number with these decimals and with separators of thousands, rounded as it would be written: 1,234.50. What
 * rounds to zero has no sign. It doesn't use `Intl`, whose first use delays a phone's first page by over 100 ms.
 */
export function grouped(value: string | number, decimals: number): string {
  const number = Number(value);
  const absolute = Math.abs(number);
  if (!(absolute < LEAST_WITH_EXPONENT)) return formatCompact(number);
  const [whole = '', fraction = ''] = (absolute < 1e-6 ? absolute.toFixed(20) : `${absolute}`).split('.');
  const cut = BigInt(`${whole}${fraction.slice(0, decimals).padEnd(decimals, '0')}`);
  const rounded = fraction.charAt(decimals) >= '5' ? cut + 1n : cut;
  const digits = `${rounded}`.padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const thousands = digits.slice(0, point).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  const text = decimals === 0 ? thousands : `${thousands}.${digits.slice(point)}`;
  return number < 0 && rounded > 0n ? `-${text}` : text;
}

// Created when first used and then kept, because creating one takes milliseconds.
let compact: Intl.NumberFormat | undefined;

/** Abbreviates a number of any size with one decimal: 940.0, 3.4B, 1.2e21. */
export const formatCompact = (value: number): string =>
  Math.abs(value) >= COMPACT_LIMIT
    ? formatPowerOfTen(Math.log10(Math.abs(value)), value < 0)
    : (compact ??= new Intl.NumberFormat('en-US', COMPACT)).format(value);

/** Formats ten to the power of this logarithm, which may be too large for a number: 4.2e400. */
export function formatPowerOfTen(logarithm: number, isNegative = false): string {
  const exponent = Math.floor(logarithm);
  const factor = (10 ** (logarithm - exponent)).toFixed(1);
  const text = factor === '10.0' ? `1.0e${exponent + 1}` : `${factor}e${exponent}`;
  return isNegative ? `-${text}` : text;
}

/**
 * Formats a change with one decimal, and with a '+' if it is positive: +12.3%, -4.0%. A change that rounds to
 * zero has no sign: 0.0%. From 100,000% on, it is abbreviated: +3.4B%.
 */
export function formatChange(percent: number): string {
  const rounded = Number(percent.toFixed(1));
  const text = `${Math.abs(rounded) < LARGE_RATIO ? grouped(rounded, 1) : formatCompact(percent)}%`;
  return rounded > 0 ? `+${text}` : text;
}

export function formatRate(percent: number | null): string {
  return percent === null ? '–' : `${percent.toFixed(1)}%`;
}

/** Formats a fee (a decimal string in SOL) as 'Free', '{fee} SOL', or 'Not Set' if it's invalid. */
export function formatMonthlyFee(fee: string | null | undefined): string {
  if (fee === null || fee === undefined) return 'Free';
  const lamports = parseSol(fee);
  if (lamports === null) return 'Not Set';
  return isFreeFee(lamports) ? 'Free' : `${fee} SOL`;
}

/** Formats a monthly fee within a text: '0.5 SOL / month', or as `formatMonthlyFee` if there is nothing to pay. */
export function formatFeePerMonth(fee: string | null): string {
  const text = formatMonthlyFee(fee);
  return text.endsWith(' SOL') ? `${text} / month` : text;
}

/** How long ago a time was: 'Just now' (under a minute), 'Nm ago', 'Nh ago', 'Nd ago' or 'Unknown'. */
export function formatRelativeTime(at: string | number | null | undefined, now: number): string {
  if (at === null || at === undefined) return 'Unknown';
  const timestamp = typeof at === 'number' ? at : Date.parse(at);
  if (Number.isNaN(timestamp)) return 'Unknown';
  const elapsed = now - timestamp;
  if (elapsed < MINUTE_MS) return 'Just now';
  if (elapsed < HOUR_MS) return `${Math.floor(elapsed / MINUTE_MS)}m ago`;
  if (elapsed < DAY_MS) return `${Math.floor(elapsed / HOUR_MS)}h ago`;
  return `${Math.floor(elapsed / DAY_MS)}d ago`;
}

/** Formats an amount in whole dollars. From a billion on, it is abbreviated. */
export function formatUsd(amount: number): string {
  return Math.abs(amount) >= LARGE_AMOUNT
    ? `$${formatCompact(amount)}`
    : `$${formatCount(Math.round(amount))}`;
}

export function formatMarketCap(usd: number): string {
  const whole = Math.round(usd);
  return whole < 1_000 ? formatUsd(whole) : `$${formatCompact(whole)}`;
}

/**
 * Formats an approximate amount of dollars above 0: '≈ $75.00'. From 10,000 on, it has no cents. From a
 * billion on, it is abbreviated. Less than half a cent becomes '< $0.01'.
 */
export function formatDollars(amount: number): string {
  if (amount < 0.005) return '< $0.01';
  return `≈ ${amount < 9_999.995 ? `$${grouped(amount, 2)}` : formatUsd(amount)}`;
}

export function formatCount(count: number): string {
  return grouped(count, 0);
}

export function pluralize(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

export function shortenAddress(address: string): string {
  return address.length <= 9 ? address : `${address.slice(0, 4)}…${address.slice(-4)}`;
}
