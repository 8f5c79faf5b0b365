import { sql, type SQL } from 'drizzle-orm';
import type { RenewalStage } from '#schema/rules/access/renewal.ts';

/**
 * SQL condition: the row `s` of `subscriptions` still needs its reminder of this stage. False if the caller is Free, or
 * if the subscriber has a later or open-ended period with the caller.
 */
export function hasPendingReminder(stage: RenewalStage): SQL {
  return sql`
    NOT EXISTS (
      SELECT 1 FROM renewal_notices
      WHERE subscriber_id = s.subscriber_id AND caller_id = s.caller_id AND ends_at = s.ends_at AND days = ${stage})
    AND NOT EXISTS (
      SELECT 1 FROM subscriptions later
      WHERE later.subscriber_id = s.subscriber_id AND later.caller_id = s.caller_id
        AND (later.ends_at IS NULL OR later.ends_at > s.ends_at))
    AND EXISTS (SELECT 1 FROM callers WHERE caller_id = s.caller_id AND fee_lamports > 0)`;
}
