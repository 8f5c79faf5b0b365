import { and, desc, eq, getTableColumns, inArray, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { paymentLedger, paymentOrphans, refundTransfers } from '#schema/tables/payment-ledger.ts';
import { paymentBroadcasts, paymentIntents, payments } from '#schema/tables/payments.ts';
import { periods } from '#schema/tables/subscriptions.ts';
import { users } from '#schema/tables/users.ts';
import type { Database } from '../../../shared/database.ts';

const MAX_INTENTS = 20;
/** Maximum of rows per kind, such as signed transactions. Real payments have a few. */
const MAX_ROWS = 100;

export type PaymentHistoryRepository = ReturnType<typeof createPaymentHistoryRepository>;
export type PaymentHistoryRows = Awaited<ReturnType<PaymentHistoryRepository['find']>>;

export function createPaymentHistoryRepository(db: Database) {
  return {
    /**
     * Finds a payment's rows by signature, reference, or the id of the intent or payment, or those of a person's newest
     * payments by the person's id. Newest first.
     */
    async find(search: string) {
      const intents = await findIntents(db, search);
      const ids = intents.map(({ id }) => id);
      const { intentId, signature } = payments;
      const isOfIntents = inArray(intentId, ids);
      const [broadcasts, recorded, ledger, transfers, access, orphans] = await db.batch([
        db
          .select()
          .from(paymentBroadcasts)
          .where(inArray(paymentBroadcasts.intentId, ids))
          .orderBy(desc(paymentBroadcasts.createdAt))
          .limit(MAX_ROWS),
        db.select().from(payments).where(isOfIntents).limit(MAX_ROWS),
        db
          .select({ ...getTableColumns(paymentLedger), intentId, signature })
          .from(paymentLedger)
          .innerJoin(payments, eq(payments.id, paymentLedger.paymentId))
          .where(isOfIntents)
          .orderBy(desc(paymentLedger.seq))
          .limit(MAX_ROWS),
        db
          .select({ ...getTableColumns(refundTransfers), intentId })
          .from(refundTransfers)
          .innerJoin(payments, eq(payments.id, refundTransfers.paymentId))
          .where(isOfIntents)
          .limit(MAX_ROWS),
        db
          .select({ intentId, startsAt: periods.startsAt, endsAt: periods.endsAt })
          .from(periods)
          .innerJoin(payments, eq(payments.id, periods.paymentId))
          .where(isOfIntents)
          .limit(MAX_ROWS),
        db
          .select()
          .from(paymentOrphans)
          .where(
            or(
              eq(paymentOrphans.signature, search),
              // The user is for the index.
              and(
                inArray(
                  paymentOrphans.userId,
                  intents.map(({ userId }) => userId),
                ),
                inArray(paymentOrphans.intentId, ids),
              ),
            ),
          )
          .orderBy(desc(paymentOrphans.foundAt))
          .limit(MAX_ROWS),
      ]);
      return { intents, broadcasts, payments: recorded, ledger, transfers, access, orphans };
    },
  };
}

const subscriber = alias(users, 'subscriber');
const caller = alias(users, 'caller');

function findIntents(db: Database, search: string) {
  // D1 allows five parts of a UNION.
  const ids = sql`(
    SELECT id FROM payment_intents WHERE id = ${search} OR reference = ${search}
    UNION SELECT intent_id FROM payment_broadcasts WHERE signature = ${search}
    UNION SELECT intent_id FROM payments WHERE signature = ${search} OR id = ${search}
      OR id IN (
        SELECT payment_id FROM refunds WHERE reference = ${search}
        UNION SELECT payment_id FROM refund_transfers WHERE signature = ${search})
    UNION SELECT intent_id FROM payment_orphans WHERE signature = ${search}
    UNION SELECT id FROM (
      SELECT id FROM payment_intents
      WHERE user_id = ${search}
      ORDER BY created_at DESC
      LIMIT ${MAX_INTENTS}))`;
  return db
    .select({
      ...getTableColumns(paymentIntents),
      userHandle: subscriber.twitterHandle,
      callerHandle: caller.twitterHandle,
    })
    .from(paymentIntents)
    .innerJoin(subscriber, eq(subscriber.id, paymentIntents.userId))
    .innerJoin(caller, eq(caller.id, paymentIntents.callerId))
    .where(inArray(paymentIntents.id, ids))
    .orderBy(desc(paymentIntents.createdAt));
}
