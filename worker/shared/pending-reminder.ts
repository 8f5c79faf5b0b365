import { sql, type SQL } from 'drizzle-orm';
import type { RenewalStage } from '#schema/rules/renewal.ts';

/**
 * SQL condition: the row `s` of `subscriptions` still needs its reminder of this stage. False for a Free caller,
 * after a renewal and with an open free follow, because then the row isn't the last end of its subscriber and caller.
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
