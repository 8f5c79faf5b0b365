import { PLATFORM_FEE_BPS, SOL_DECIMALS, SOL_DISPLAY_DECIMALS } from '#schema/constants/money.ts';
import { formatUnits } from './units.ts';

export interface FeeSplit {
  readonly totalLamports: bigint;
  readonly callerLamports: bigint;
  readonly platformLamports: bigint;
}

const ALL_BPS = 10_000n;

const DECIMAL_SOL = /^(?:0|[1-9]\d*)(?:\.(\d{1,9}))?$/;

/**
 * Reads a decimal string in SOL ("1.5") as lamports. Refuses exponents, signs, spaces, leading zeros, a bare
 * dot and more than nine decimals. Doesn't limit the amount.
 * @returns lamports, or `null` if refused
 */
export function parseSol(text: string): bigint | null {
  const match = DECIMAL_SOL.exec(text);
  if (!match) return null;
  const decimals = match[1] ?? '';
  return BigInt(text.replace('.', '') + '0'.repeat(SOL_DECIMALS - decimals.length));
}

/** Writes lamports (≥ 0) as the shortest decimal string in SOL: 1_500_000_000n → "1.5". `parseSol` can read it. */
export function formatSol(lamports: bigint): string {
  return formatUnits(lamports, SOL_DECIMALS);
}

/**
 * Writes lamports (≥ 0) with four decimals: 1_500_000_000n → "1.5000". If four decimals would hide lamports,
 * there are more: 12_345n → "0.000012345".
 */
export function formatSolForDisplay(lamports: bigint): string {
  const text = formatSol(lamports);
  const pointed = text.includes('.') ? text : `${text}.`;
  return pointed.padEnd(pointed.indexOf('.') + 1 + SOL_DISPLAY_DECIMALS, '0');
}

/**
 * Splits the price of a period: the platform gets its commission, rounded down, and the caller gets the rest.
 * @param totalLamports ≥ 0
 */
export function splitFee(totalLamports: bigint): FeeSplit {
  const platformLamports = (totalLamports * BigInt(PLATFORM_FEE_BPS)) / ALL_BPS;
  return { totalLamports, callerLamports: totalLamports - platformLamports, platformLamports };
}

export function isFreeFee(feeLamports: bigint | null): boolean {
  return feeLamports === null || feeLamports === 0n;
}

/** A fee on the wire: decimal string in SOL, null means Free. */
export const formatFee = (feeLamports: bigint): string | null =>
  isFreeFee(feeLamports) ? null : formatSol(feeLamports);
