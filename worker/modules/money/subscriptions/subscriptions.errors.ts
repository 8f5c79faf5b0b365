import { AppError } from '../../../app/errors.ts';

export const createCallerNotFoundError = () =>
  new AppError({ code: 'callers.not_found', message: 'No caller with this id.' });
