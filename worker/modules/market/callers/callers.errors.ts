import { AppError } from '../../../app/errors.ts';

export const createCallerNotFoundError = () =>
  new AppError({
    code: 'callers.not_found',
    message: "The caller you're looking for doesn't exist or may have changed their username.",
  });
