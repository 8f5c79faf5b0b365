import { FRESH_SIGN_IN_MS, MINUTE_MS, SECOND_MS } from '#schema/constants.ts';
import { AppError } from '../../../app/errors.ts';

export const createTooManyExportsError = (waitMs: number) =>
  new AppError({
    code: 'account.too_many_exports',
    message: 'You have exported your data too often. Try again in a few minutes.',
    retryAfterSeconds: Math.ceil(waitMs / SECOND_MS),
  });

export const createUnknownSectionError = () =>
  new AppError({
    code: 'request.invalid',
    message: 'section: There is no such section. Start from the first part.',
    details: { field: 'section' },
  });

export const createOpenCallsError = (symbols: readonly string[]) =>
  new AppError({
    code: 'account.open_calls',
    message: `End your open calls first: ${symbols.join(', ')}. Nothing was deleted.`,
    details: { symbols },
  });

export const createSignInAgainToDeleteError = () =>
  new AppError({
    code: 'auth.fresh_sign_in_needed',
    message: `To delete your account, sign in again. You signed in more than ${FRESH_SIGN_IN_MS / MINUTE_MS} minutes ago. Nothing was deleted.`,
  });
