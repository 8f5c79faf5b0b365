import { AppError } from '../../app/errors.ts';

export const createCallerNotFoundError = () =>
  new AppError({ code: 'callers.not_found', message: "The caller you're looking for doesn't exist or may have changed their username." });

export const createCursorInvalidError = () => new AppError({ code: 'callers.query_invalid', message: 'cursor: This page marker is not one of ours. Start from the first page.' });
