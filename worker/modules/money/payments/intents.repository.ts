import { and, asc, desc, eq, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import {
  INTENT_CHECK_PAUSES_MS,
  INTENT_RECONCILE_MS,
  MAX_UNUSED_INTENTS,
  MINUTE_MS,
  UNUSED_INTENTS_WINDOW_MS,
} from '#schema/constants.ts';
import { paymentBroadcasts, paymentIntents, payments } from '#schema/tables/payments.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { insertWhere, valuesOf } from '../../../shared/rows.ts';
import { allOf, build, hasNoRow } from '../../../shared/sql.ts';
import { nextRetrySql } from './back-off.ts';
import { isNothingPending } from './pending-broadcasts.ts';

export type IntentRow = typeof paymentIntents.$inferSelect;

const LAST_PAUSE_MS = INTENT_CHECK_PAUSES_MS.at(-1) ?? 0;
/** The sum of all pauses but the last. From this age on, the last pause repeats. */
const LATER_PAUSES_MS = INTENT_CHECK_PAUSES_MS.slice(0, -1).reduce((sum, pause) => sum + pause, 0);

export type IntentsRepository = ReturnType<typeof createIntentsRepository>;

/** Times are unix ms. */
export function createIntentsRepository(db: Database) {
  return {
    /**
     * Stores an intent. If this user already has an unused intent for this caller with the same terms, and it
     * ends after `reusableUntil`, returns that intent instead.
     * @returns `null` while another transaction of this user to this caller is pending, and after too many unused
     * intents
     */
    async openIntent(intent: IntentRow, reusableUntil: number): Promise<IntentRow | null> {
      const isReusable = isReusableFor(intent, reusableUntil);
      const canPay = isNothingPending(intent);
      const mayInsert = allOf(hasNoRow(paymentIntents, isReusable), canPay, hasFewUnused(intent));
      const [, ids = []] = await runBatch(db, [
        insertWhere(paymentIntents, intent, mayInsert),
        db.select({ id: paymentIntents.id }).from(paymentIntents).where(and(isReusable, canPay)).limit(1),
      ]);
      const [opened] = await db
        .select()
        .from(paymentIntents)
        .where(eq(paymentIntents.id, String(ids[0]?.['id'] ?? '')));
      return opened ?? null;
    },

    /** Earliest time for another intent after too many unused ones (unix ms); null if one may be opened now. */
    async nextOpenAt({ userId, now }: { userId: string; now: number }): Promise<number | null> {
      const [row] = await db.all<{ created_at: number }>(
        unusedIntents({ userId, createdAt: now })
          .orderBy(desc(paymentIntents.createdAt))
          .limit(1)
          .offset(MAX_UNUSED_INTENTS - 1),
      );
      return row === undefined ? null : row.created_at + UNUSED_INTENTS_WINDOW_MS;
    },

    /** The intents whose reference is one of these accounts. */
    async findByReferences(accounts: readonly string[]): Promise<IntentRow[]> {
      return db
        .select()
        .from(paymentIntents)
        .where(inArray(paymentIntents.reference, valuesOf(accounts)));
    },

    /** Takes the intents that have been due longest, and sets when they are due again in the same statement. */
    async takeDue({ now, limit }: { now: number; limit: number }): Promise<IntentRow[]> {
      const { id, createdAt, nextCheckAt } = paymentIntents;
      const due = db
        .select({ id })
        .from(paymentIntents)
        .where(lte(nextCheckAt, now))
        .orderBy(asc(nextCheckAt))
        .limit(limit);
      const again = nextRetrySql({ createdAt, pausesMs: INTENT_CHECK_PAUSES_MS, now });
      // In a backlog, each minute of delay adds an hour to the last pause, so that old intents don't delay young ones.
      const delayMinutes = sql`CAST((${now} - ${nextCheckAt}) / ${MINUTE_MS} AS INTEGER)`;
      const stretch = sql`
        (${createdAt} <= ${now - LATER_PAUSES_MS}) * ${delayMinutes} * ${LAST_PAUSE_MS}`;
      return db
        .update(paymentIntents)
        .set({
          reconciledAt: now,
          nextCheckAt: sql`
            CASE WHEN ${createdAt} > ${now - INTENT_RECONCILE_MS}
              THEN MIN(${again} + ${stretch}, ${createdAt} + ${INTENT_RECONCILE_MS})
            END`,
        })
        .where(inArray(id, due))
        .returning();
    },

    /** Makes intents due at `at`, unless they are due earlier. */
    async checkAgainAt(intentIds: readonly string[], at: number): Promise<void> {
      if (intentIds.length === 0) return;
      const { id, nextCheckAt } = paymentIntents;
      await db
        .update(paymentIntents)
        .set({ nextCheckAt: at })
        .where(and(inArray(id, valuesOf(intentIds)), or(isNull(nextCheckAt), gt(nextCheckAt, at))));
    },
  };
}

const isUnused = and(
  hasNoRow(paymentBroadcasts, eq(paymentBroadcasts.intentId, paymentIntents.id)),
  hasNoRow(payments, eq(payments.intentId, paymentIntents.id)),
);

/** Selects this user's intents of the last hour that have no broadcast and no payment. */
const unusedIntents = ({ userId, createdAt }: Pick<IntentRow, 'userId' | 'createdAt'>) =>
  build
    .select({ createdAt: paymentIntents.createdAt })
    .from(paymentIntents)
    .where(
      and(
        eq(paymentIntents.userId, userId),
        gt(paymentIntents.createdAt, createdAt - UNUSED_INTENTS_WINDOW_MS),
        isUnused,
      ),
    );

function hasFewUnused(intent: IntentRow) {
  const unused = unusedIntents(intent).limit(MAX_UNUSED_INTENTS);
  return sql`(SELECT COUNT(*) FROM ${unused}) < ${MAX_UNUSED_INTENTS}`;
}

/** An unused intent of this user for this caller with the same terms. */
const isReusableFor = (intent: IntentRow, reusableUntil: number) =>
  and(
    eq(paymentIntents.userId, intent.userId),
    eq(paymentIntents.callerId, intent.callerId),
    eq(paymentIntents.callerAddress, intent.callerAddress),
    eq(paymentIntents.platformAddress, intent.platformAddress),
    eq(paymentIntents.totalLamports, intent.totalLamports),
    gt(paymentIntents.expiresAt, reusableUntil),
    isUnused,
  );
