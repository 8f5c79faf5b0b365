import { eq, sql, type SQL } from 'drizzle-orm';
import { subscriptions, type periods } from '#schema/tables/subscriptions.ts';
import { allOf } from '../../../shared/sql.ts';

export interface Pair {
  readonly subscriberId: string;
  readonly callerId: string;
}

/** SQL condition: the row is a period of this subscriber and caller. */
export const isOfPair = (
  { subscriberId, callerId }: typeof subscriptions | typeof periods,
  pair: Pair,
): SQL => allOf(eq(subscriberId, pair.subscriberId), eq(callerId, pair.callerId));

/**
 * SQL condition: the row of `subscriptions` wasn't paid for. Without the +, SQLite would search the unique index of
 * payments for NULL and read all free periods.
 */
export const isFree = sql`+${subscriptions.paymentId} IS NULL`;

export const subscriberCounts = sql`subscriber_count, paying_count`;

/** Computes `subscriberCounts` of a row of `callers`. */
export const countSubscribers = sql`(
  SELECT COUNT(DISTINCT subscriber_id), COUNT(DISTINCT iif(is_counted, subscriber_id, NULL))
  FROM subscriptions
  WHERE caller_id = callers.caller_id AND status = 'active')`;
