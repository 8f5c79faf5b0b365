import {
  MAX_MUTED_CALLERS,
  MAX_UPDATES_PER_CALL,
  MAX_UPDATES_PER_WINDOW,
  MINUTE_MS,
  UPDATES_WINDOW_MS,
} from '#schema/constants.ts';
import { AppError } from '../../../app/errors.ts';

export const createCallerNotFoundError = () =>
  new AppError({ code: 'callers.not_found', message: "This caller doesn't exist. Reload the page." });

export const createMuteSelfError = () =>
  new AppError({
    code: 'notifications.mute_self',
    message: 'You never get messages about your own calls, so you cannot mute yourself.',
  });

export const createTooManyMutesError = () =>
  new AppError({
    code: 'notifications.too_many_mutes',
    message: `You can mute at most ${MAX_MUTED_CALLERS} callers. Unmute one first.`,
  });

export const createUpdateMessageError = (problem: string) =>
  new AppError({ code: 'updates.message_invalid', message: problem });

export const createCallFullError = () =>
  new AppError({
    code: 'updates.call_full',
    message: `A call can have at most ${MAX_UPDATES_PER_CALL} updates, and this call has as many. It was not sent.`,
  });

export const createTooManyUpdatesError = ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
  new AppError({
    code: 'updates.too_many',
    message:
      `You can send at most ${MAX_UPDATES_PER_WINDOW} updates in ${UPDATES_WINDOW_MS / MINUTE_MS} minutes. ` +
      'This one was not sent. Send it again in a few minutes.',
    retryAfterSeconds,
  });
