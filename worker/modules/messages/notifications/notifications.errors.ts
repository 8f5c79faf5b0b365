import { MAX_UPDATES_PER_WINDOW, UPDATES_WINDOW_MS } from '#schema/constants/messages.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import { AppError } from '../../../app/errors.ts';

export const createUpdateMessageError = (problem: string) =>
  new AppError({ code: 'updates.message_invalid', message: problem });

export const createTooManyUpdatesError = ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
  new AppError({
    code: 'updates.too_many',
    message:
      `You can send at most ${MAX_UPDATES_PER_WINDOW} updates in ${UPDATES_WINDOW_MS / MINUTE_MS} minutes. ` +
      'This one was not sent. Send it again in a few minutes.',
    retryAfterSeconds,
  });
