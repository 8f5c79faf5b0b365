import { MIN_APPLICATION_FEE_SOL } from '#schema/constants.ts';
import { describeFeeProblem, type FeeProblem } from '#schema/rules/money/fee-input.ts';
import { AppError } from '../../../app/errors.ts';

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
