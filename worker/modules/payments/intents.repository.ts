import { asc, eq, gt, inArray, sql } from 'drizzle-orm';
import { paymentIntents } from '#schema/tables/payments.ts';
import { runBatch, type Database } from '../../shared/database.ts';
import { insertWhere, valuesOf } from '../../shared/rows.ts';
import { pendingBroadcasts } from './pending-broadcasts.ts';

export type IntentRow = typeof paymentIntents.$inferSelect;

interface IntentsToCheck {
  readonly since: number;
  readonly youngSince: number;
  readonly limit: number;
}

export type IntentsRepository = ReturnType<typeof createIntentsRepository>;

/** Times are unix ms. */
export function createIntentsRepository(db: Database) {
  return {
    /**
     * Stores an intent. If this user has an unused intent for this caller with the same terms that ends
     * after `reusableUntil`, returns that one instead.
     * @returns `null` while another transaction of this user to this caller is pending
     */
    async openIntent(intent: IntentRow, reusableUntil: number): Promise<IntentRow | null> {
      const reusable = reusableIntent(intent, reusableUntil);
      const isNothingPending = sql`NOT EXISTS (${pendingBroadcasts(intent)})`;
      const [, ids = []] = await runBatch(db, [
        insertWhere(paymentIntents, intent, sql`NOT EXISTS (${reusable}) AND ${isNothingPending}`),
        sql`${reusable} AND ${isNothingPending} LIMIT 1`,
      ]);
      const [opened] = await db
        .select()
        .from(paymentIntents)
        .where(eq(paymentIntents.id, String(ids[0]?.['id'] ?? '')));
      return opened ?? null;
    },

    /** The intents whose reference is one of these accounts. */
    async findByReferences(accounts: readonly string[]): Promise<IntentRow[]> {
      return db
        .select()
        .from(paymentIntents)
        .where(inArray(paymentIntents.reference, valuesOf(accounts)));
    },

    /**
     * Intents opened after `since`. Those opened after `youngSince` come first, then those that were
     * checked longest ago.
     */
    async listToCheck({ since, youngSince, limit }: IntentsToCheck): Promise<IntentRow[]> {
      return db
        .select()
        .from(paymentIntents)
        .where(gt(paymentIntents.createdAt, since))
        .orderBy(sql`${paymentIntents.createdAt} > ${youngSince} DESC`, asc(paymentIntents.reconciledAt))
        .limit(limit);
    },

    async markReconciled(intentIds: readonly string[], now: number): Promise<void> {
      await db
        .update(paymentIntents)
        .set({ reconciledAt: now })
        .where(inArray(paymentIntents.id, valuesOf(intentIds)));
    },
  };
}

/**
 * SELECT of this user's intents for this caller that have the same terms, but no broadcast and no payment.
 */
function reusableIntent(intent: IntentRow, reusableUntil: number) {
  return sql`
    SELECT o.id FROM payment_intents o
    WHERE o.user_id = ${intent.userId}
      AND o.caller_id = ${intent.callerId}
      AND o.caller_address = ${intent.callerAddress}
      AND o.platform_address = ${intent.platformAddress}
      AND o.total_lamports = ${Number(intent.totalLamports)}
      AND o.expires_at > ${reusableUntil}
      AND NOT EXISTS (SELECT 1 FROM payment_broadcasts WHERE intent_id = o.id)
      AND NOT EXISTS (SELECT 1 FROM payments WHERE intent_id = o.id)`;
}
