import { MIN_APPLICATION_FEE_SOL, MAX_FEE_LAMPORTS } from '#schema/constants.ts';
import { formatSol } from '#schema/rules/lamports.ts';
import type { FeeProblem } from '#schema/rules/fee-input.ts';
import { AppError } from '../../app/errors.ts';

export const createUserNotFoundError = () =>
  new AppError({ code: 'users.not_found', message: 'This account does not exist.' });

export const createAlreadyCallerError = () =>
  new AppError({ code: 'users.already_caller', message: 'You are a caller already.' });

export const createNotACallerError = () =>
  new AppError({ code: 'users.not_a_caller', message: 'Only callers can do this. Become a caller first.' });

export const createPayoutWalletUnprovenError = () =>
  new AppError({
    code: 'users.payout_wallet_unproven',
    message: 'Only a wallet that you have proven to own can be paid. Connect it and sign the message first.',
  });

export function createFeeError(problem: FeeProblem, minimum: 'application' | 'dashboard'): AppError {
  if (problem === 'below_minimum') {
    const message =
      minimum === 'application'
        ? `A paid subscription costs at least ${MIN_APPLICATION_FEE_SOL} SOL a month.`
        : 'Monthly fee must be greater than 0 SOL';
    return new AppError({ code: 'users.fee_below_minimum', message });
  }
  const message =
    problem === 'too_high'
      ? `A monthly fee is at most ${formatSol(MAX_FEE_LAMPORTS)} SOL.`
      : 'The fee must be a plain number in SOL with at most 9 decimals, such as 0.25.';
  return new AppError({ code: 'users.fee_invalid', message });
}
