import { MIN_APPLICATION_FEE_SOL, MAX_FEE_LAMPORTS } from '#schema/constants.ts';
import type { FeeProblem } from '#schema/rules/fee-input.ts';
import { formatSol } from '#schema/rules/lamports.ts';
import { AppError } from '../../app/errors.ts';

export const createUserNotFoundError = () =>
  new AppError({ code: 'users.not_found', message: "This account doesn't exist. Please sign in again." });

export const createAlreadyCallerError = () =>
  new AppError({ code: 'users.already_caller', message: 'You are already a caller. Reload the page.' });

export const createNotACallerError = () =>
  new AppError({ code: 'users.not_a_caller', message: 'Only callers can do this. Become a caller first.' });

export const createPayoutWalletUnprovenError = () =>
  new AppError({
    code: 'users.payout_wallet_unproven',
    message: 'Only a verified wallet can receive payouts. Connect this wallet and sign the message first.',
  });

const BELOW_MINIMUM = {
  application: `Enter a fee of at least ${MIN_APPLICATION_FEE_SOL} SOL a month.`,
  dashboard: 'Monthly fee must be greater than 0 SOL',
} as const;

export function createFeeError(problem: FeeProblem, form: keyof typeof BELOW_MINIMUM): AppError {
  if (problem === 'below_minimum') {
    return new AppError({ code: 'users.fee_below_minimum', message: BELOW_MINIMUM[form] });
  }
  const message =
    problem === 'too_high'
      ? `The monthly fee can be at most ${formatSol(MAX_FEE_LAMPORTS)} SOL.`
      : 'Enter an amount in SOL with at most 9 decimals, such as 0.25.';
  return new AppError({ code: 'users.fee_invalid', message });
}
