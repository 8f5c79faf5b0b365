import { FRESH_SIGN_IN_MS, MINUTE_MS } from '#schema/constants.ts';
import { mayChangePayout } from '#schema/rules/payout-change.ts';
import { AppError } from '../app/errors.ts';

/**
 * Refuses to have a caller paid to `to` (null is none) instead of `from` by a session that is too old for it. Times are unix ms.
 * The write that follows has to insist that `from` still holds.
 * @throws auth.fresh_sign_in_needed
 */
export function assertMayChangePayout(change: {
  from: string | null;
  to: string | null;
  hadOne: boolean;
  signedInAt: number;
  now: number;
}): void {
  if (mayChangePayout(change)) return;
  throw new AppError({
    code: 'auth.fresh_sign_in_needed',
    message: `To change where you are paid, sign in again: your sign-in is older than ${FRESH_SIGN_IN_MS / MINUTE_MS} minutes.`,
  });
}

/** The payout wallet was another one when the change was to be written than when it was allowed. */
export const createPayoutChangedError = () =>
  new AppError({
    code: 'wallets.payout_changed',
    message: 'Your payout wallet was changed somewhere else at the same moment. Look at it, then try again.',
  });
