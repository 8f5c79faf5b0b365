import { AppError } from '../../../app/errors.ts';

export const createCallerNotFoundError = () =>
  new AppError({ code: 'callers.not_found', message: "This caller doesn't exist. Reload the page." });
