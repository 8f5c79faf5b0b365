import { and, asc, eq, exists, gt, inArray, isNull, notExists, sql, type SQL } from 'drizzle-orm';
import { BLOCKHASH_LIFETIME_MS, SUBSCRIPTION_PERIOD_MS } from '#schema/constants.ts';
import { paymentBroadcasts, paymentIntents, payments } from '#schema/tables/payments.ts';
import { runBatch, type Database } from '../../app/database.ts';

export type IntentRow = typeof paymentIntents.$inferSelect;
export type IntentTermsRow = Pick<IntentRow, 'userId' | 'callerId' | 'callerAddress' | 'platformAddress' | 'totalLamports'>;
export type PaymentRow = typeof payments.$inferSelect;

export type PaymentsRepository = ReturnType<typeof createPaymentsRepository>;

/** Intents, signatures that were broadcast, and payments with the period each of them buys. */
export function createPaymentsRepository(db: Database) {
  return {
    async insertIntent(intent: typeof paymentIntents.$inferInsert): Promise<void> {
      await db.insert(paymentIntents).values(intent);
    },

    /** An open intent under the same terms that nothing was sent for. */
    async findUntouchedIntent({ terms, expiresAfter }: { terms: IntentTermsRow; expiresAfter: number }): Promise<IntentRow | null> {
      const broadcast = db.select({ signature: paymentBroadcasts.signature }).from(paymentBroadcasts).where(eq(paymentBroadcasts.intentId, paymentIntents.id));
      const payment = db.select({ id: payments.id }).from(payments).where(eq(payments.intentId, paymentIntents.id));
      const [intent] = await db
        .select()
        .from(paymentIntents)
        .where(
          and(
            eq(paymentIntents.userId, terms.userId),
            eq(paymentIntents.callerId, terms.callerId),
            eq(paymentIntents.callerAddress, terms.callerAddress),
            eq(paymentIntents.platformAddress, terms.platformAddress),
            eq(paymentIntents.totalLamports, terms.totalLamports),
            gt(paymentIntents.expiresAt, expiresAfter),
            notExists(broadcast),
            notExists(payment),
          ),
        )
        .limit(1);
      return intent ?? null;
    },

    /** The intents that these account keys refer to. */
    async findIntentsByReference(accounts: readonly string[]): Promise<IntentRow[]> {
      return db
        .select()
        .from(paymentIntents)
        .where(inArray(paymentIntents.reference, db.select({ value: sql`value` }).from(sql`json_each(${JSON.stringify(accounts)})`)));
    },

    /**
     * Writes a signature down before it is broadcast, unless another one for the same intent may still
     * land. The same one again is a new try. Returns whether it may be sent.
     */
    async insertBroadcast({ signature, intentId, now }: { signature: string; intentId: string; now: number }): Promise<boolean> {
      const written = await db.all<{ signature: string }>(sql`
        INSERT INTO payment_broadcasts (signature, intent_id, created_at)
        SELECT ${signature}, ${intentId}, ${now}
        WHERE NOT EXISTS (
          SELECT 1 FROM payment_broadcasts
          WHERE intent_id = ${intentId} AND signature <> ${signature} AND rejected_at IS NULL AND created_at > ${now - BLOCKHASH_LIFETIME_MS})
        ON CONFLICT (signature) DO UPDATE SET rejected_at = NULL WHERE intent_id = excluded.intent_id
        RETURNING signature`);
      return written.length === 1;
    },

    async markRejected(signature: string, now: number): Promise<void> {
      await db.update(paymentBroadcasts).set({ rejectedAt: now }).where(eq(paymentBroadcasts.signature, signature));
    },

    async findBroadcastOwner(signature: string): Promise<string | null> {
      const [row] = await db
        .select({ userId: paymentIntents.userId })
        .from(paymentBroadcasts)
        .innerJoin(paymentIntents, eq(paymentIntents.id, paymentBroadcasts.intentId))
        .where(eq(paymentBroadcasts.signature, signature));
      return row?.userId ?? null;
    },

    async findPayment(signature: string): Promise<PaymentRow | null> {
      const [payment] = await db.select().from(payments).where(eq(payments.signature, signature));
      return payment ?? null;
    },

    /**
     * Writes a payment and the 30 days it buys, in one batch: from the later of now and the end of
     * what the pair has, with a free grant that is open moved behind it.
     * @throws a UNIQUE violation, with nothing written, when the signature was used before.
     */
    async insertPayment({ payment, subscriptionId, now }: { payment: typeof payments.$inferInsert; subscriptionId: string; now: number }): Promise<void> {
      const { userId, callerId, callerLamports } = payment;
      const pair = sql`subscriber_id = ${userId} AND caller_id = ${callerId}`;
      const startsAt = sql`MAX(${now}, COALESCE((SELECT MAX(ends_at) FROM subscriptions WHERE ${pair}), 0))`;
      await runBatch(db, [
        db.insert(payments).values(payment),
        sql`
          UPDATE callers SET earned_lamports = earned_lamports + ${Number(callerLamports)},
            subscriber_count = subscriber_count + NOT EXISTS (SELECT 1 FROM subscriptions WHERE ${pair} AND status = 'active')
          WHERE caller_id = ${callerId}`,
        sql`UPDATE subscriptions SET starts_at = ${startsAt} + ${SUBSCRIPTION_PERIOD_MS} WHERE ${pair} AND ends_at IS NULL`,
        sql`
          INSERT INTO subscriptions (id, subscriber_id, caller_id, payment_id, starts_at, ends_at, status, created_at)
          SELECT ${subscriptionId}, ${userId}, ${callerId}, ${payment.id}, start, start + ${SUBSCRIPTION_PERIOD_MS}, 'active', ${now}
          FROM (SELECT ${startsAt} AS start)`,
      ]);
    },

    /**
     * Intents opened after `since`, the longest unchecked first: those with a broadcast that is not
     * recorded as a payment, and all others, which somebody may have paid past us. Each kind has a share
     * of its own, so that many dialogs that were only opened hold up no payment.
     */
    async listIntentsToCheck({ since, limits }: { since: number; limits: { broadcast: number; other: number } }): Promise<IntentRow[]> {
      const openBroadcast = db
        .select({ signature: paymentBroadcasts.signature })
        .from(paymentBroadcasts)
        .leftJoin(payments, eq(payments.signature, paymentBroadcasts.signature))
        .where(and(eq(paymentBroadcasts.intentId, paymentIntents.id), isNull(payments.id)));
      const longestUnchecked = (condition: SQL, limit: number) =>
        db
          .select()
          .from(paymentIntents)
          .where(and(gt(paymentIntents.createdAt, since), condition))
          .orderBy(asc(paymentIntents.reconciledAt))
          .limit(limit);
      const [sent, others] = await db.batch([longestUnchecked(exists(openBroadcast), limits.broadcast), longestUnchecked(notExists(openBroadcast), limits.other)]);
      return [...sent, ...others];
    },

    async listBroadcasts(intentId: string): Promise<string[]> {
      const rows = await db.select({ signature: paymentBroadcasts.signature }).from(paymentBroadcasts).where(eq(paymentBroadcasts.intentId, intentId));
      return rows.map(({ signature }) => signature);
    },

    async listPaidSignatures(intentId: string): Promise<string[]> {
      const rows = await db.select({ signature: payments.signature }).from(payments).where(eq(payments.intentId, intentId));
      return rows.map(({ signature }) => signature);
    },

    async markReconciled(intentIds: readonly string[], now: number): Promise<void> {
      await db
        .update(paymentIntents)
        .set({ reconciledAt: now })
        .where(inArray(paymentIntents.id, db.select({ value: sql`value` }).from(sql`json_each(${JSON.stringify(intentIds)})`)));
    },
  };
}
