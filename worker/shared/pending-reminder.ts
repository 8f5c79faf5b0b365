import { sql, type SQL } from 'drizzle-orm';
import type { RenewalStage } from '#schema/rules/renewal.ts';

/**
 * SQL condition: the reminder of this stage is still due for the row `s` of `subscriptions`. True only for the last end of
 * the pair (not after a renewal, nor with an open free follow), and not where the caller is Free.
 */
export function hasPendingReminder(stage: RenewalStage): SQL {
  return sql`
    NOT EXISTS (
      SELECT 1 FROM renewal_notices
      WHERE subscriber_id = s.subscriber_id AND caller_id = s.caller_id AND ends_at = s.ends_at AND kind = ${stage})
    AND NOT EXISTS (
      SELECT 1 FROM subscriptions later
      WHERE later.subscriber_id = s.subscriber_id AND later.caller_id = s.caller_id
        AND (later.ends_at IS NULL OR later.ends_at > s.ends_at))
    AND EXISTS (SELECT 1 FROM callers WHERE caller_id = s.caller_id AND fee_lamports > 0)`;
}
