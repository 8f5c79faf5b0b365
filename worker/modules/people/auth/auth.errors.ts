import { AppError } from '../../../app/errors.ts';

export const createAuthRequiredError = () =>
  new AppError({ code: 'auth.required', message: 'Unauthorized: please sign in.' });

export const createSignInInvalidError = () =>
  new AppError({
    code: 'auth.attempt_invalid',
    message: 'This sign-in has expired or was already used. Please sign in again.',
  });
