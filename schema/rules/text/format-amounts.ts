import { SOL_DISPLAY_DECIMALS } from '#schema/constants/money.ts';
import { formatCompact, grouped, LARGE_AMOUNT, LARGE_RATIO } from './format.ts';
import { formatSolForDisplay, parseSol } from '../money/lamports.ts';

const LEAST_MULTIPLE = 0.00001;

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
