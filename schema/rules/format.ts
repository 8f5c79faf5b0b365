import { DAY_MS, HOUR_MS, MINUTE_MS, SOL_DISPLAY_DECIMALS } from '#schema/constants.ts';
import { formatSolForDisplay, isFreeFee, parseSol } from './lamports.ts';

const LEAST_MULTIPLE = 0.00001;
/** For a lower price, eight decimals would show fewer than two significant digits. */
const TINY_PRICE = 1e-7;
/** From this value on, percentages and multiples are abbreviated. */
const LARGE_RATIO = 100_000;
/** From this value on, prices and amounts are abbreviated. */
const LARGE_AMOUNT = 1e9;
/** Just under 1e15. From this value on, one decimal would be rounded to '1000.0T'. */
const COMPACT_LIMIT = 999.95e12;
const COMPACT_UNITS = ['', 'K', 'M', 'B', 'T'];
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

/**
 * Formats a price on Recent Calls. It is 'N/A' if it is missing or zero. It has 2 decimals from 1 up, otherwise
 * 8.
 */
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

/** Formats a number below 0.1 with four significant digits. '0.0₉12' has nine zeros after the point. */
function formatTiny(value: number): string {
  const [digits = '', exponent = ''] = Math.abs(value).toExponential(3).split('e');
  const zeros = [...String(-Number(exponent) - 1)].map((digit) => SUBSCRIPTS[Number(digit)]).join('');
  return `${value < 0 ? '-' : ''}0.0${zeros}${digits.replace('.', '').replace(/0+$/, '')}`;
}

/** Abbreviates a number of any size with one decimal: 940.0, 3.4B, 1.2e21. */
export function formatCompact(value: number): string {
  if (Math.abs(value) >= COMPACT_LIMIT) return formatPowerOfTen(Math.log10(Math.abs(value)), value < 0);
  let unit = 0;
  let text = roundedText(Math.abs(value), 1);
  while (text.length > 5 && unit < COMPACT_UNITS.length - 1) {
    unit += 1;
    text = roundedText(Math.abs(value), 1, 3 * unit);
  }
  return `${value < 0 ? '-' : ''}${text}${COMPACT_UNITS[unit]}`;
}

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

/**
 * Formats a multiple:
 * - 0: '0x', and below 0.00001: '<0.00001x'
 * - below 0.1: two significant digits (0.0012x)
 * - below 100: two decimals (1.50x)
 * - from 100: one decimal (124.5x)
 * - from 10,000: no decimals (12,346x)
 * - from 100,000: abbreviated (3.4Bx)
 */
export function formatMultiple(multiple: number): string {
  if (multiple === 0) return '0x';
  if (multiple < LEAST_MULTIPLE) return `<${grouped(LEAST_MULTIPLE, 5)}x`;
  // Compares rounded values: 99.999 is rounded to 100, so it is shown as 100.0x and not as 100.00x.
  const rounded = Number(multiple.toFixed(2));
  if (rounded < 0.1) return `${multiple.toLocaleString('en-US', { maximumSignificantDigits: 2 })}x`;
  if (Math.round(multiple) >= LARGE_RATIO) return `${formatCompact(multiple)}x`;
  if (Number(multiple.toFixed(1)) >= 10_000) return `${grouped(multiple, 0)}x`;
  return `${grouped(multiple, rounded >= 100 ? 1 : 2)}x`;
}

export interface ProfitFactorFigures {
  readonly profitFactor: number | null;
  /** The best call's change in percent; null without a call. */
  readonly bestReturn: number | null;
}

/**
 * Formats a profit factor like a multiple, but without the 'x': 2.31. Without a loss, returns 'No losses'.
 * Without a loss and a gain, returns a dash.
 */
export function formatProfitFactor({ profitFactor, bestReturn }: ProfitFactorFigures): string {
  if (profitFactor !== null) return formatMultiple(profitFactor).slice(0, -1);
  return (bestReturn ?? 0) > 0 ? 'No losses' : '–';
}

/** Formats a rate with one decimal and without a sign: 62.5%. A dash for null. */
export function formatRate(percent: number | null): string {
  return percent === null ? '–' : `${percent.toFixed(1)}%`;
}

/** 'Free', '{fee} SOL', or 'Not Set' for an invalid amount. The fee is a decimal string in SOL. */
export function formatMonthlyFee(fee: string | null | undefined): string {
  if (fee === null || fee === undefined) return 'Free';
  const lamports = parseSol(fee);
  if (lamports === null) return 'Not Set';
  return isFreeFee(lamports) ? 'Free' : `${fee} SOL`;
}

/** Formats an amount in SOL with four decimals. If four decimals would hide lamports, there are more. */
export function formatSolAmount(sol: string): string {
  const lamports = parseSol(sol);
  return lamports === null ? sol : formatSolForDisplay(lamports);
}

/**
 * Formats a balance in SOL (a decimal string) with four decimals. Further decimals are cut off, because
 * rounding could show more than there is.
 */
export function formatSolBalance(sol: string): string {
  const [whole = '0', decimals = ''] = sol.split('.');
  return `${whole}.${decimals.slice(0, SOL_DISPLAY_DECIMALS).padEnd(SOL_DISPLAY_DECIMALS, '0')}`;
}

/**
 * Formats how long ago a time was: 'Just now' (under a minute), 'Nm ago', 'Nh ago' or 'Nd ago'. 'Unknown'
 * without a time.
 */
export function formatRelativeTime(at: string | number | null | undefined, now: number): string {
  if (at === null || at === undefined) return 'Unknown';
  const moment = typeof at === 'number' ? at : Date.parse(at);
  if (Number.isNaN(moment)) return 'Unknown';
  const elapsed = now - moment;
  if (elapsed < MINUTE_MS) return 'Just now';
  if (elapsed < HOUR_MS) return `${Math.floor(elapsed / MINUTE_MS)}m ago`;
  if (elapsed < DAY_MS) return `${Math.floor(elapsed / HOUR_MS)}h ago`;
  return `${Math.floor(elapsed / DAY_MS)}d ago`;
}

/**
 * Formats a token amount (a decimal string). It has at most 4 decimals from 1 up, otherwise 4 significant
 * digits. From a billion on, it is abbreviated.
 */
export function formatTokenAmount(amount: string): string {
  const value = Number(amount);
  if (Math.abs(value) >= LARGE_AMOUNT) return formatCompact(value);
  return value.toLocaleString(
    'en-US',
    Math.abs(value) >= 1 ? { maximumFractionDigits: 4 } : { maximumSignificantDigits: 4 },
  );
}

/** Formats an amount in whole dollars. From a billion on, it is abbreviated. */
export function formatUsd(amount: number): string {
  return Math.abs(amount) >= LARGE_AMOUNT
    ? `$${formatCompact(amount)}`
    : `$${formatCount(Math.round(amount))}`;
}

/** Formats a market cap in USD: $940, $819.1K, $3.1B. */
export function formatMarketCap(usd: number): string {
  const whole = Math.round(usd);
  return whole < 1_000 ? formatUsd(whole) : `$${formatCompact(whole)}`;
}

/**
 * Formats an approximate amount of dollars above 0: '≈ $75.00'. From 10,000 on, it has no cents. From a billion
 * on, it is abbreviated. Less than half a cent becomes '< $0.01'.
 */
export function formatDollars(amount: number): string {
  if (amount < 0.005) return '< $0.01';
  return `≈ ${amount < 9_999.995 ? `$${grouped(amount, 2)}` : formatUsd(amount)}`;
}

/** '1,204'. For whole numbers. */
export function formatCount(count: number): string {
  return grouped(count, 0);
}

/** '1 call', '48 calls', '1,204 calls'. */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * Formats a duration in its two largest units: 'Under 1m', '45m', '3h 20m', '2d 4h'. 'Unknown' if it is
 * negative or not finite.
 */
export function formatDuration(milliseconds: number): string {
  if (!(milliseconds >= 0) || milliseconds === Number.POSITIVE_INFINITY) return 'Unknown';
  if (milliseconds < MINUTE_MS) return 'Under 1m';
  const minutes = Math.floor(milliseconds / MINUTE_MS);
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (milliseconds < DAY_MS) return twoUnits(`${hours}h`, minutes % 60, 'm');
  return twoUnits(`${Math.floor(hours / 24)}d`, hours % 24, 'h');
}

/** Formats how long an ended call was open. The times are ISO 8601. */
export function formatHeld(call: { callTimestamp: string; endTimestamp: string }): string {
  return formatDuration(Date.parse(call.endTimestamp) - Date.parse(call.callTimestamp));
}

/** 'held 2d 4h' or 'held under 1m', as part of a sentence. */
export function describeHeld(call: { callTimestamp: string; endTimestamp: string }): string {
  return `held ${formatHeld(call).toLowerCase()}`;
}

export function shortenAddress(address: string): string {
  return address.length <= 9 ? address : `${address.slice(0, 4)}…${address.slice(-4)}`;
}

function twoUnits(large: string, small: number, unit: string): string {
  return small === 0 ? large : `${large} ${small}${unit}`;
}

/** Like `toLocaleString('en-US')` with this many decimals, which takes long on the first use and in long lists. */
function grouped(value: string | number, decimals: number): string {
  const number = Number(value);
  const [whole = '', fraction] = roundedText(Math.abs(number), decimals).split('.');
  const text = whole.replace(/\B(?=(?:\d{3})+$)/g, ',') + (fraction === undefined ? '' : `.${fraction}`);
  return number < 0 && /[1-9]/.test(text) ? `-${text}` : text;
}

/**
 * Divides a number of at least 0 by ten to the power of `exponent`, and rounds it to this many decimals. Rounds the digits
 * that the number is written with, as `toLocaleString` does: 1.005 becomes 1.01.
 */
function roundedText(value: number, decimals: number, exponent = 0): string {
  if (!Number.isFinite(value)) return value.toLocaleString('en-US');
  const [written = '', power = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = written.split('.');
  const digits = whole + fraction;
  const kept = whole.length + Number(power) - exponent + decimals;
  const rounded =
    BigInt(digits.slice(0, Math.max(0, kept)).padEnd(kept, '0')) + ((digits[kept] ?? '0') >= '5' ? 1n : 0n);
  return placePoint(String(rounded), decimals);
}

function placePoint(digits: string, decimals: number): string {
  if (decimals === 0) return digits;
  const padded = digits.padStart(decimals + 1, '0');
  return `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`;
}
