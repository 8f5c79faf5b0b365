import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { paymentBroadcasts, paymentIntents } from '#schema/tables/payments.ts';
import { runBatch, type Database } from '../../shared/database.ts';
import { insertWhere, valuesOf } from '../../shared/rows.ts';
import type { IntentRow } from './intents.repository.ts';
import type { PageAfter } from './page-after.ts';
import { pendingBroadcasts } from './pending-broadcasts.ts';

/** A sent signature that may still land, or that has landed but isn't finalized. */
export interface OpenBroadcast {
  readonly signature: string;
  readonly lastValidBlockHeight: number;
  readonly createdAt: number;
  readonly intent: IntentRow;
}

interface NewBroadcast {
  readonly signature: string;
  readonly intent: IntentRow;
  readonly lastValidBlockHeight: number;
  readonly now: number;
}

export type BroadcastsRepository = ReturnType<typeof createBroadcastsRepository>;

/** Times are unix ms. */
export function createBroadcastsRepository(db: Database) {
  return {
    ...createBroadcastWrites(db),
    ...createBroadcastReads(db),
  };
}

function createBroadcastWrites(db: Database) {
  return {
    /**
     * Stores a signature before its broadcast, or counts another try. `wasSentBefore` is true if an earlier
     * try may have arrived.
     * @returns `null` if it must not be sent, because its intent is paid or expired, or the user has
     * another transaction to this caller pending
     */
    async insert(broadcast: NewBroadcast): Promise<{ tries: number; wasSentBefore: boolean } | null> {
      const [before = [], [row] = []] = await runBatch(db, [
        sql`SELECT dead_at FROM payment_broadcasts WHERE signature = ${broadcast.signature}`,
        insertBroadcast(broadcast),
      ]);
      if (!row) return null;
      return { tries: Number(row['tries']), wasSentBefore: before[0]?.['dead_at'] === null };
    },

    /** Marks a signature as dead after the cluster rejected it, unless it was tried again meanwhile. */
    async markRejected({ signature, tries, now }: { signature: string; tries: number; now: number }) {
      await db
        .update(paymentBroadcasts)
        .set({ deadAt: now })
        .where(
          and(
            eq(paymentBroadcasts.signature, signature),
            eq(paymentBroadcasts.tries, tries),
            isNull(paymentBroadcasts.landedAt),
          ),
        );
    },

    async markDead(signatures: readonly string[], now: number): Promise<void> {
      if (signatures.length === 0) return;
      await db
        .update(paymentBroadcasts)
        .set({ deadAt: now })
        .where(
          and(
            inArray(paymentBroadcasts.signature, valuesOf(signatures)),
            isNull(paymentBroadcasts.deadAt),
            isNull(paymentBroadcasts.landedAt),
          ),
        );
    },
  };
}

function insertBroadcast({ signature, intent, lastValidBlockHeight, now }: NewBroadcast) {
  const row = { signature, intentId: intent.id, lastValidBlockHeight, createdAt: now };
  const isAllowed = sql`
    ${intent.expiresAt} > ${now}
    AND NOT EXISTS (
      SELECT 1 FROM payments p
      JOIN subscriptions s ON s.payment_id = p.id
      WHERE p.intent_id = ${intent.id})
    AND NOT EXISTS (${pendingBroadcasts(intent, signature)})`;
  return sql`
    ${insertWhere(paymentBroadcasts, row, isAllowed)}
    ON CONFLICT (signature) DO UPDATE SET
      dead_at = NULL,
      tries = tries + 1,
      last_valid_block_height = MAX(last_valid_block_height, excluded.last_valid_block_height)
    WHERE intent_id = excluded.intent_id
    RETURNING tries`;
}

function createBroadcastReads(db: Database) {
  return {
    async find(signature: string) {
      const [row] = await db
        .select({ userId: paymentIntents.userId, broadcast: paymentBroadcasts })
        .from(paymentBroadcasts)
        .innerJoin(paymentIntents, eq(paymentIntents.id, paymentBroadcasts.intentId))
        .where(eq(paymentBroadcasts.signature, signature));
      if (!row) return null;
      const { lastValidBlockHeight, deadAt } = row.broadcast;
      return { userId: row.userId, lastValidBlockHeight: lastValidBlockHeight ?? 0, isDead: deadAt !== null };
    },

    /**
     * True if we sent this signature for the intent, or if it was the intent's payment until a fork removed
     * it.
     */
    async wasInTime({ signature, intentId }: { signature: string; intentId: string }): Promise<boolean> {
      const rows = await db.all(sql`
        SELECT 1 FROM payment_broadcasts WHERE signature = ${signature} AND intent_id = ${intentId}
        UNION ALL
        SELECT 1 FROM payments WHERE signature = ${signature} AND intent_id = ${intentId}
        LIMIT 1`);
      return rows.length === 1;
    },

    /** Open broadcasts, oldest first. */
    async listOpen({ after, limit }: PageAfter<OpenBroadcast>): Promise<OpenBroadcast[]> {
      const { createdAt, signature, deadAt, landedAt } = paymentBroadcasts;
      const isAfter = after && sql`(${createdAt}, ${signature}) > (${after.createdAt}, ${after.signature})`;
      const rows = await db
        .select({ broadcast: paymentBroadcasts, intent: paymentIntents })
        .from(paymentBroadcasts)
        .innerJoin(paymentIntents, eq(paymentIntents.id, paymentBroadcasts.intentId))
        .where(and(isNull(deadAt), isNull(landedAt), isAfter ?? undefined))
        .orderBy(asc(createdAt), asc(signature))
        .limit(limit);
      return rows.map(({ broadcast, intent }) => ({
        ...broadcast,
        lastValidBlockHeight: broadcast.lastValidBlockHeight ?? 0,
        intent,
      }));
    },
  };
}
