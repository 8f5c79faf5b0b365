import { LOG_RECORD_MAX_ENTRIES } from '#schema/constants.ts';
import { AppError } from '../../app/errors.ts';

const RETRY_AFTER_SECONDS = 60;

export const createCallerNotFoundError = () =>
  new AppError({
    code: 'callers.not_found',
    message: "The caller you're looking for doesn't exist or may have changed their username.",
  });

export const createLogBehindError = ({ isStopped }: { isStopped: boolean }) =>
  new AppError({
    code: 'log.behind',
    message: isStopped
      ? "The log has stopped, so this record isn't complete. The operators know about it. Try again later."
      : 'The log is being brought up to date. Try again in a minute.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

export const createRecordTooLongError = () =>
  new AppError({
    code: 'log.record_too_long',
    message: `This caller has more than ${LOG_RECORD_MAX_ENTRIES} entries. Check the whole log instead.`,
  });
