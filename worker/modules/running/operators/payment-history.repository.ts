import { and, eq, inArray, or, sql } from 'drizzle-orm';
import { paymentLedger, paymentOrphans, refunds } from '#schema/tables/payment-ledger.ts';
import { paymentBroadcasts, paymentIntents, payments } from '#schema/tables/payments.ts';
import { users } from '#schema/tables/users.ts';
import type { Database } from '../../../shared/database.ts';
import { valueIn } from '../../../shared/sql.ts';

/** Maximum of rows per kind, such as signed transactions. Real payments have a few. */
const MAX_ROWS = 100;

export type PaymentHistoryRepository = ReturnType<typeof createPaymentHistoryRepository>;
export type PaymentHistoryRows = NonNullable<Awaited<ReturnType<PaymentHistoryRepository['find']>>>;

export function createPaymentHistoryRepository(db: Database) {
  const findIntent = async (search: string) => {
    const ids = sql`(
      SELECT id FROM payment_intents WHERE id = ${search}
      UNION SELECT id FROM payment_intents WHERE reference = ${search}
      UNION SELECT intent_id FROM payment_broadcasts WHERE signature = ${search}
      UNION SELECT intent_id FROM payments WHERE signature = ${search} OR id = ${search}
        OR id IN (SELECT payment_id FROM refunds WHERE signature = ${search} OR reference = ${search})
      UNION SELECT intent_id FROM payment_orphans WHERE signature = ${search})`;
    const handleOf = (id: typeof paymentIntents.userId | typeof paymentIntents.callerId) =>
      valueIn<string>(users.twitterHandle, eq(users.id, id));
    const [found] = await db
      .select({
        intent: paymentIntents,
        userHandle: handleOf(paymentIntents.userId),
        callerHandle: handleOf(paymentIntents.callerId),
      })
      .from(paymentIntents)
      .where(inArray(paymentIntents.id, ids))
      .limit(1);
    if (!found) return null;
    const { intent, userHandle, callerHandle } = found;
    return { ...intent, userHandle: userHandle ?? '', callerHandle: callerHandle ?? '' };
  };

  return {
    /** Finds a payment's rows by signature, reference, or the id of the intent or payment. Null if there are none. */
    async find(search: string) {
      const intent = await findIntent(search);
      const intentId = intent?.id ?? '';
      const { signature } = payments;
      const ofIntent = db.select({ id: payments.id }).from(payments).where(eq(payments.intentId, intentId));
      const [broadcasts, recorded, ledger, paidBack, orphans] = await db.batch([
        db
          .select()
          .from(paymentBroadcasts)
          .where(eq(paymentBroadcasts.intentId, intentId))
          .orderBy(paymentBroadcasts.createdAt)
          .limit(MAX_ROWS),
        db.select().from(payments).where(eq(payments.intentId, intentId)).limit(MAX_ROWS),
        db
          .select({
            signature,
            kind: paymentLedger.kind,
            slot: paymentLedger.slot,
            startsAt: paymentLedger.startsAt,
            endsAt: paymentLedger.endsAt,
            at: paymentLedger.at,
          })
          .from(paymentLedger)
          .innerJoin(payments, eq(payments.id, paymentLedger.paymentId))
          .where(inArray(paymentLedger.paymentId, ofIntent))
          .orderBy(paymentLedger.seq)
          .limit(MAX_ROWS),
        db.select().from(refunds).where(inArray(refunds.paymentId, ofIntent)).limit(MAX_ROWS),
        db
          .select()
          .from(paymentOrphans)
          .where(or(eq(paymentOrphans.signature, search), isOfIntent(intent)))
          .orderBy(paymentOrphans.foundAt)
          .limit(MAX_ROWS),
      ]);
      if (intent === null && orphans.length === 0) return null;
      return { intent, broadcasts, payments: recorded, ledger, refunds: paidBack, orphans };
    },
  };
}

/** Matches an intent's orphans. Includes the user, because orphans have an index by user. */
const isOfIntent = (intent: { readonly id: string; readonly userId: string } | null) =>
  intent === null
    ? undefined
    : and(eq(paymentOrphans.userId, intent.userId), eq(paymentOrphans.intentId, intent.id));
