import { and, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import { paymentBroadcasts, type paymentIntents } from '#schema/tables/payments.ts';

/** The payment is on the chain but can't be read, and no operator has released it. */
export const isUnreadablePayment = and(
  isNotNull(paymentBroadcasts.unreadableAt),
  isNull(paymentBroadcasts.deadAt),
  isNull(paymentBroadcasts.landedAt),
);

type Pair = Pick<typeof paymentIntents.$inferSelect, 'userId' | 'callerId'>;

/**
 * The intents of the pair's transactions that may still buy a period: not dead or landed, and the intent isn't paid. Once
 * an intent is paid, anybody can name it in a transaction that can't be read.
 */
export function selectPending({ userId, callerId }: Pair, exceptSignature = ''): SQL {
  return sql`
    SELECT b.intent_id FROM payment_broadcasts b
    JOIN payment_intents i ON i.id = b.intent_id
    WHERE i.user_id = ${userId}
      AND i.caller_id = ${callerId}
      AND b.signature <> ${exceptSignature}
      AND b.dead_at IS NULL
      AND b.landed_at IS NULL
      AND NOT EXISTS (
        SELECT 1 FROM payments p
        JOIN subscriptions s ON s.payment_id = p.id
        WHERE p.intent_id = b.intent_id)`;
}

export const isNothingPending = (pair: Pair, exceptSignature?: string): SQL =>
  sql`NOT EXISTS (${selectPending(pair, exceptSignature)})`;
