import { and, isNotNull, isNull } from 'drizzle-orm';
import { paymentBroadcasts } from '#schema/tables/payments.ts';

/** The payment is on the chain but can't be read, and no operator has released it. */
export const isUnreadablePayment = and(
  isNotNull(paymentBroadcasts.unreadableAt),
  isNull(paymentBroadcasts.deadAt),
  isNull(paymentBroadcasts.landedAt),
);
