import { sql } from 'drizzle-orm';
import { subscriptions } from '#schema/tables/subscriptions.ts';

/**
 * The row of `subscriptions` wasn't paid for. Without the +, SQLite would search the unique index of payments for NULL,
 * and so read the free periods of everybody.
 */
export const isFree = sql`+${subscriptions.paymentId} IS NULL`;

/** The number of subscribers of a row of `callers`. */
export const countSubscribers = sql`(
  SELECT COUNT(DISTINCT subscriber_id)
  FROM subscriptions
  WHERE caller_id = callers.caller_id AND status = 'active')`;
