import { AppError } from '../../app/errors.ts';

const RETRY_AFTER_SECONDS = 60;

export const createLogBehindError = ({ isStopped }: { isStopped: boolean }) =>
  new AppError({
    code: 'log.behind',
    message: isStopped
      ? "The log has stopped, so this record isn't complete. The operators know about it. Try again later."
      : 'The log is being brought up to date. Try again in a minute.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
