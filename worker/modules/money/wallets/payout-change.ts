import { sql, type SQL } from 'drizzle-orm';
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

interface PayoutChange {
  readonly to: string | null;
  readonly at: number;
  readonly where: SQL | undefined;
}

/** Records a change of the payout wallet. Run it in the batch that makes the change, before the change. */
export const recordPayoutChange = ({ to, at, where }: PayoutChange): SQL => sql`
  INSERT INTO payout_changes (caller_id, old_address, new_address, at)
  SELECT caller_id, payout_address, ${to}, ${at}
  FROM callers
  WHERE ${where} AND payout_address IS NOT ${to}`;
