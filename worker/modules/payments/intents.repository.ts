import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { paymentBroadcasts, paymentIntents } from '#schema/tables/payments.ts';
import { runBatch, type Database } from '../../shared/database.ts';

export type IntentRow = typeof paymentIntents.$inferSelect;

/** A signature that we sent and of which it is not certain yet how it ended, with the intent it pays. */
export interface OpenBroadcast {
  readonly signature: string;
  readonly lastValidBlockHeight: number;
  readonly createdAt: number;
  readonly intent: IntentRow;
}

/** Whom a payment is from and to. */
interface Pair {
  readonly userId: string;
  readonly callerId: string;
}

/** A transaction of the pair's that may still land, or has landed and has no period yet. */
const onItsWay = ({ userId, callerId }: Pair, exceptSignature = '') => sql`
  SELECT 1 FROM payment_broadcasts b JOIN payment_intents i ON i.id = b.intent_id
  WHERE i.user_id = ${userId} AND i.caller_id = ${callerId} AND b.signature <> ${exceptSignature} AND b.dead_at IS NULL AND b.landed_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM payments p JOIN subscriptions s ON s.payment_id = p.id WHERE p.signature = b.signature)`;

export type IntentsRepository = ReturnType<typeof createIntentsRepository>;

/** Intents and the signatures that were broadcast for them. Times are unix ms. */
export function createIntentsRepository(db: Database) {
  return {
    /**
     * Opens an intent, unless the pair has one under the same terms that nothing was sent for and that
     * lives until `reusableUntil`; then it answers that one. `null`, with nothing written, while a
     * transaction of the pair's is on its way.
     */
    async openIntent({
      intent,
      reusableUntil,
    }: {
      intent: IntentRow;
      reusableUntil: number;
    }): Promise<IntentRow | null> {
      const { userId, callerId } = intent;
      const untouched = sql`
        FROM payment_intents o
        WHERE o.user_id = ${userId} AND o.caller_id = ${callerId} AND o.caller_address = ${intent.callerAddress} AND o.platform_address = ${intent.platformAddress}
          AND o.total_lamports = ${Number(intent.totalLamports)} AND o.expires_at > ${reusableUntil}
          AND NOT EXISTS (SELECT 1 FROM payment_broadcasts WHERE intent_id = o.id)
          AND NOT EXISTS (SELECT 1 FROM payments WHERE intent_id = o.id)`;
      const [, ids = []] = await runBatch(db, [
        sql`
          INSERT INTO payment_intents (id, user_id, caller_id, reference, caller_address, platform_address, total_lamports, caller_lamports, platform_lamports, created_at, expires_at, reconciled_at)
          SELECT ${intent.id}, ${userId}, ${callerId}, ${intent.reference}, ${intent.callerAddress}, ${intent.platformAddress},
            ${Number(intent.totalLamports)}, ${Number(intent.callerLamports)}, ${Number(intent.platformLamports)}, ${intent.createdAt}, ${intent.expiresAt}, ${intent.reconciledAt}
          WHERE NOT EXISTS (SELECT 1 ${untouched}) AND NOT EXISTS (${onItsWay(intent)})`,
        sql`SELECT o.id ${untouched} AND NOT EXISTS (${onItsWay(intent)}) LIMIT 1`,
      ]);
      const [opened] = await db
        .select()
        .from(paymentIntents)
        .where(eq(paymentIntents.id, String(ids[0]?.['id'] ?? '')));
      return opened ?? null;
    },

    /** The intents that these account keys refer to. */
    async findIntentsByReference(accounts: readonly string[]): Promise<IntentRow[]> {
      return db
        .select()
        .from(paymentIntents)
        .where(
          inArray(
            paymentIntents.reference,
            db.select({ value: sql`value` }).from(sql`json_each(${JSON.stringify(accounts)})`),
          ),
        );
    },

    /**
     * Writes a signature down before it is broadcast: while its intent is open and unpaid, and no other
     * transaction of the pair's is on its way. The same one again is a new try.
     * @returns the number of this try, and whether an earlier one may have reached the cluster; `null` where it may not be sent.
     */
    async insertBroadcast({
      signature,
      intent,
      lastValidBlockHeight,
      now,
    }: {
      signature: string;
      intent: IntentRow;
      lastValidBlockHeight: number;
      now: number;
    }): Promise<{ tries: number; wasSentBefore: boolean } | null> {
      const [before = [], written = []] = await runBatch(db, [
        sql`SELECT dead_at FROM payment_broadcasts WHERE signature = ${signature}`,
        sql`
          INSERT INTO payment_broadcasts (signature, intent_id, last_valid_block_height, created_at)
          SELECT ${signature}, ${intent.id}, ${lastValidBlockHeight}, ${now}
          WHERE ${intent.expiresAt} > ${now}
            AND NOT EXISTS (SELECT 1 FROM payments p JOIN subscriptions s ON s.payment_id = p.id WHERE p.intent_id = ${intent.id})
            AND NOT EXISTS (${onItsWay(intent, signature)})
          ON CONFLICT (signature) DO UPDATE
            SET dead_at = NULL, tries = tries + 1, last_valid_block_height = MAX(last_valid_block_height, excluded.last_valid_block_height)
            WHERE intent_id = excluded.intent_id
          RETURNING tries`,
      ]);
      const [row] = written;
      return row
        ? {
            tries: Number(row['tries']),
            wasSentBefore: before.length === 1 && before[0]?.['dead_at'] === null,
          }
        : null;
    },

    /** Marks a signature that the cluster refused before it left us, unless it was tried again since. */
    async markRefused({
      signature,
      tries,
      now,
    }: {
      signature: string;
      tries: number;
      now: number;
    }): Promise<void> {
      await db.run(
        sql`UPDATE payment_broadcasts SET dead_at = ${now} WHERE signature = ${signature} AND tries = ${tries} AND landed_at IS NULL`,
      );
    },

    /** Marks signatures that will never move money. */
    async markDead(signatures: readonly string[], now: number): Promise<void> {
      if (signatures.length === 0) return;
      await db.run(sql`
        UPDATE payment_broadcasts SET dead_at = ${now}
        WHERE signature IN (SELECT value FROM json_each(${JSON.stringify(signatures)})) AND dead_at IS NULL AND landed_at IS NULL`);
    },

    async findBroadcast(
      signature: string,
    ): Promise<{ userId: string; lastValidBlockHeight: number; isDead: boolean } | null> {
      const [row] = await db
        .select({
          userId: paymentIntents.userId,
          lastValidBlockHeight: paymentBroadcasts.lastValidBlockHeight,
          deadAt: paymentBroadcasts.deadAt,
        })
        .from(paymentBroadcasts)
        .innerJoin(paymentIntents, eq(paymentIntents.id, paymentBroadcasts.intentId))
        .where(eq(paymentBroadcasts.signature, signature));
      return row
        ? {
            userId: row.userId,
            lastValidBlockHeight: row.lastValidBlockHeight ?? 0,
            isDead: row.deadAt !== null,
          }
        : null;
    },

    /** Whether a signature was in time for an intent once: we sent it, or it has been its payment and a fork took it away. */
    async wasInTime({ signature, intentId }: { signature: string; intentId: string }): Promise<boolean> {
      const rows = await db.all(sql`
        SELECT 1 FROM payment_broadcasts WHERE signature = ${signature} AND intent_id = ${intentId}
        UNION ALL SELECT 1 FROM payments WHERE signature = ${signature} AND intent_id = ${intentId} LIMIT 1`);
      return rows.length === 1;
    },

    /** What was sent and is neither dead nor finalized, oldest first, after a place in that order. */
    async listOpenBroadcasts({
      after,
      limit,
    }: {
      after: Pick<OpenBroadcast, 'createdAt' | 'signature'> | null;
      limit: number;
    }): Promise<OpenBroadcast[]> {
      const place =
        after === null
          ? undefined
          : sql`(${paymentBroadcasts.createdAt}, ${paymentBroadcasts.signature}) > (${after.createdAt}, ${after.signature})`;
      const rows = await db
        .select({ broadcast: paymentBroadcasts, intent: paymentIntents })
        .from(paymentBroadcasts)
        .innerJoin(paymentIntents, eq(paymentIntents.id, paymentBroadcasts.intentId))
        .where(and(isNull(paymentBroadcasts.deadAt), isNull(paymentBroadcasts.landedAt), place))
        .orderBy(asc(paymentBroadcasts.createdAt), asc(paymentBroadcasts.signature))
        .limit(limit);
      return rows.map(({ broadcast: { signature, lastValidBlockHeight, createdAt }, intent }) => ({
        signature,
        lastValidBlockHeight: lastValidBlockHeight ?? 0,
        createdAt,
        intent,
      }));
    },

    /** Intents opened after `since`, those opened after `youngSince` before the others, the longest unchecked first: somebody may have paid them past us. */
    async listIntentsToCheck({
      since,
      youngSince,
      limit,
    }: {
      since: number;
      youngSince: number;
      limit: number;
    }): Promise<IntentRow[]> {
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
        .where(
          inArray(
            paymentIntents.id,
            db.select({ value: sql`value` }).from(sql`json_each(${JSON.stringify(intentIds)})`),
          ),
        );
    },
  };
}
