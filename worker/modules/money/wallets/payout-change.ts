import { mayChangePayout } from '#schema/rules/money/payout-change.ts';
import { createSignInTooOldError } from '../../../app/errors.ts';

/**
 * Refuses a change of the payout wallet (`null` for none) if the sign-in is too old. Times are unix ms. The write
 * itself must check again that the payout wallet is still `from`.
 * @throws auth.fresh_sign_in_needed
 */
export function assertMayChangePayout(change: {
  from: string | null;
  to: string | null;
  hadOne: boolean;
  signedInAt: number;
  now: number;
}): void {
  if (!mayChangePayout(change)) throw createSignInTooOldError('change your payout wallet');
}
