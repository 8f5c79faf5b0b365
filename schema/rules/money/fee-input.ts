import {
  LAMPORTS_PER_SOL,
  MAX_FEE_LAMPORTS,
  MIN_APPLICATION_FEE_SOL,
  MIN_FEE_LAMPORTS,
  SOL_DECIMALS,
} from '#schema/constants/money.ts';
import { formatCount } from '../text/format.ts';
import { formatSol, parseSol } from './lamports.ts';

export type FeeProblem = 'not_a_number' | 'below_minimum' | 'too_low' | 'too_high';

const MAX_FEE_TEXT = formatCount(Number(MAX_FEE_LAMPORTS / LAMPORTS_PER_SOL));

const PROBLEM_TEXT = {
  not_a_number: `Enter an amount in SOL without spaces or extra zeros in front, and with at most ${SOL_DECIMALS} decimals, such as 0.25.`,
  too_low: `The monthly fee must be at least ${formatSol(MIN_FEE_LAMPORTS)} SOL. Enter a higher fee, or choose Free.`,
  too_high: `The monthly fee can be at most ${MAX_FEE_TEXT} SOL. Enter a lower fee.`,
};

export function describeFeeProblem(problem: FeeProblem, belowMinimum: string): string {
  return problem === 'below_minimum' ? belowMinimum : PROBLEM_TEXT[problem];
}

/** Drops a trailing 'SOL' and adds a 0 before a leading dot: ".5 SOL" → "0.5". Other spaces stay. */
export function normalizeFeeInput(text: string): string {
  const bare = text.replace(/\s*sol$/i, '');
  return bare.startsWith('.') ? `0${bare}` : bare;
}

/** Reads the fee in an application. An empty text means Free. @returns lamports, or the problem */
export function readApplicationFee(text: string): bigint | FeeProblem {
  return text === '' ? 0n : readPaidFee(text, parseSol(MIN_APPLICATION_FEE_SOL) ?? MAX_FEE_LAMPORTS);
}

/**
 * Reads the fee of the dashboard's editor. Null means Free. Any other fee must be above 0 and at least MIN_FEE_LAMPORTS.
 * @returns lamports (0n is Free), or the problem
 */
export function readMonthlyFee(fee: string | null): bigint | FeeProblem {
  return fee === null ? 0n : readPaidFee(fee, 1n);
}

function readPaidFee(text: string, minimumLamports: bigint): bigint | FeeProblem {
  const lamports = parseSol(normalizeFeeInput(text));
  if (lamports === null) return 'not_a_number';
  if (lamports < minimumLamports) return 'below_minimum';
  if (lamports < MIN_FEE_LAMPORTS) return 'too_low';
  return lamports > MAX_FEE_LAMPORTS ? 'too_high' : lamports;
}
