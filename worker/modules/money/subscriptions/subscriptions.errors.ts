import { MAX_FREE_FOLLOWS } from '#schema/constants.ts';
import { AppError } from '../../../app/errors.ts';

export const createSelfSubscriptionError = () =>
  new AppError({ code: 'subscriptions.self', message: 'You cannot subscribe to yourself.' });

export const createNotFreeError = () =>
  new AppError({
    code: 'subscriptions.not_free',
    message: 'This caller charges a monthly fee. Subscribe by paying it from your wallet.',
  });

export const createTooManyFollowsError = () =>
  new AppError({
    code: 'subscriptions.too_many',
    message: `You can follow at most ${MAX_FREE_FOLLOWS} callers for free. Unfollow one first.`,
  });

export const createCallerIsFreeError = () =>
  new AppError({
    code: 'subscriptions.caller_is_free',
    message: 'This caller is free. Subscribe without paying.',
  });

export const createCallerSuspendedError = () =>
  new AppError({
    code: 'subscriptions.caller_suspended',
    message:
      'Nobody can subscribe to this caller or renew: the caller is suspended or has deleted the account. ' +
      'Running subscriptions continue.',
  });

export const createNotFollowingError = () =>
  new AppError({ code: 'subscriptions.not_found', message: "You don't follow this caller." });

export const createPaidTimeLeftError = () =>
  new AppError({
    code: 'subscriptions.paid_time_left',
    message: 'You paid for this subscription, so it runs until its end. There is no automatic renewal.',
  });

export const createCallerNotFoundError = () =>
  new AppError({ code: 'callers.not_found', message: "This caller doesn't exist. Reload the page." });
