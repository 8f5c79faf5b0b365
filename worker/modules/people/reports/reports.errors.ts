import { REPORTS_PER_DAY, SECOND_MS } from '#schema/constants.ts';
import { AppError } from '../../../app/errors.ts';

export const createTooManyReportsError = ({ waitMs }: { waitMs: number }) =>
  new AppError({
    code: 'reports.too_many',
    message: `You can send at most ${REPORTS_PER_DAY} reports a day. Nothing was sent. Try again later.`,
    retryAfterSeconds: Math.ceil(waitMs / SECOND_MS),
  });
