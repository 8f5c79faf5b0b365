import { MAX_FEE_LAMPORTS, MIN_APPLICATION_FEE_SOL } from '#schema/constants.ts';
import { parseSol } from './lamports.ts';

export type FeeProblem = 'not_a_number' | 'below_minimum' | 'too_high';

/** Drops a trailing 'SOL' and adds a 0 before a leading dot: ".5 SOL" → "0.5". */
export function normalizeFeeInput(text: string): string {
  const bare = text.trim().replace(/\s*sol$/i, '');
  return bare.startsWith('.') ? `0${bare}` : bare;
}

/**
 * Reads the price in an application to become a caller. An empty text means Free.
 * @returns lamports (0n is Free), or the problem
 */
export function readApplicationFee(text: string): bigint | FeeProblem {
  return text.trim() === '' ? 0n : readPaidFee(text, parseSol(MIN_APPLICATION_FEE_SOL) ?? MAX_FEE_LAMPORTS);
}

/**
 * Reads the fee of the dashboard's editor. Null means Free, and anything else must be above 0.
 * @returns lamports (0n is Free), or the problem
 */
export function readMonthlyFee(fee: string | null): bigint | FeeProblem {
  return fee === null ? 0n : readPaidFee(fee, 1n);
}

function readPaidFee(text: string, minimumLamports: bigint): bigint | FeeProblem {
  const lamports = parseSol(normalizeFeeInput(text));
  if (lamports === null) return 'not_a_number';
  if (lamports < minimumLamports) return 'below_minimum';
  return lamports > MAX_FEE_LAMPORTS ? 'too_high' : lamports;
}
