import { MIN_APPLICATION_FEE_SOL, PRODUCT_NAME } from '#schema/constants.ts';
import { describeFeeProblem, type FeeProblem } from '#schema/rules/money/fee-input.ts';
import { AppError } from '../../../app/errors.ts';

export const createUserNotFoundError = () =>
  new AppError({ code: 'users.not_found', message: "This account doesn't exist. Please sign in again." });

export const createAlreadyCallerError = () =>
  new AppError({ code: 'users.already_caller', message: 'You are already a caller. Reload the page.' });

export const createNotACallerError = () =>
  new AppError({ code: 'users.not_a_caller', message: 'Only callers can do this. Become a caller first.' });

export const createSuspendedError = () =>
  new AppError({
    code: 'users.suspended',
    message: `${PRODUCT_NAME} has suspended your page, so you can't make calls. You can still update and end your active calls.`,
  });

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
  return new AppError({
    code: problem === 'below_minimum' ? 'users.fee_below_minimum' : 'users.fee_invalid',
    message: describeFeeProblem(problem, BELOW_MINIMUM[form]),
  });
}
