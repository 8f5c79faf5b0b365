import { sql } from 'drizzle-orm';
import { subscriptions } from '#schema/tables/subscriptions.ts';

/**
 * SQL condition: the row of `subscriptions` wasn't paid for. Without the +, SQLite would search the unique index of
 * payments for NULL and read all free periods.
 */
export const isFree = sql`+${subscriptions.paymentId} IS NULL`;

export const countSubscribers = sql`(
  SELECT COUNT(DISTINCT subscriber_id)
  FROM subscriptions
  WHERE caller_id = callers.caller_id AND status = 'active')`;
