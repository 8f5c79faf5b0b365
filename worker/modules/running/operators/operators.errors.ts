import { HOUR_MS, OPERATOR_SIGN_IN_MS } from '#schema/constants.ts';
import { AppError } from '../../../app/errors.ts';

export const createSignInTooOldError = () =>
  new AppError({
    code: 'auth.fresh_sign_in_needed',
    message: `To act as an operator, sign in again. Your sign-in is older than ${OPERATOR_SIGN_IN_MS / HOUR_MS} hours.`,
  });

export const createCallsOpenError = () =>
  new AppError({
    code: 'account.open_calls',
    message: 'This person has open calls, so nothing was deleted. They must end the calls first.',
  });
