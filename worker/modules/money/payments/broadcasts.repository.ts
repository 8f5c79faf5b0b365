import { and, asc, eq, inArray, isNotNull, isNull, lte, sql, type SQL } from 'drizzle-orm';
import { SECOND_MS } from '#schema/constants/time.ts';
import { paymentBroadcasts, paymentIntents } from '#schema/tables/payments.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { insertWhere, valuesOf } from '../../../shared/rows.ts';
import { isAfter } from '../../../shared/sql.ts';
import type { IntentRow } from './intents.repository.ts';
import type { PageAfter } from './page-after.ts';
import { isUnpaid } from './paid-periods.repository.ts';
import { isNothingPending, isUnreadablePayment } from './pending-broadcasts.repository.ts';

/** Pauses between broadcasts of the same bytes. The last one repeats until the blockhash has expired. */
const REBROADCAST_PAUSES_MS = [2, 3, 5, 10].map((seconds) => seconds * SECOND_MS);

/** A sent signature that may still land, or that has landed but isn't finalized. */
export interface OpenBroadcast {
  readonly signature: string;
  readonly lastValidBlockHeight: number;
  readonly createdAt: number;
  readonly intent: IntentRow;
}

/** A transaction that landed for an intent, but can't be read yet. */
export interface UnreadablePayment {
  readonly signature: string;
  readonly intentId: string;
  /** The last block that can include it if a fork removes it. Null if it's finalized. */
  readonly lastValidBlockHeight: number | null;
}

/** The value while the last valid block height is unknown, so that the transaction never counts as expired. */
const NO_END = Number.MAX_SAFE_INTEGER;
const SENT = { signedBytes: null, nextSendAt: null };

interface NewBroadcast {
  readonly signature: string;
  readonly signedBytes: string;
  readonly intent: IntentRow;
  readonly lastValidBlockHeight: number | null;
  readonly now: number;
}

export interface DueBroadcast {
  readonly signature: string;
  readonly lastValidBlockHeight: number | null;
  readonly signedBytes: string;
}

export type BroadcastsRepository = ReturnType<typeof createBroadcastsRepository>;

export function createBroadcastsRepository(db: Database) {
  return {
    ...createBroadcastWrites(db),
    ...createBroadcastReads(db),
    ...createRebroadcasts(db),
  };
}

function createBroadcastWrites(db: Database) {
  return {
    /**
     * Stores a transaction before its broadcast, or counts another try. `wasSentBefore` is true if an earlier
     * try may have arrived.
     * @returns `null` if the transaction must not be sent: its intent is paid or expired, or the user has
     * another transaction to this caller pending
     */
    async insert(broadcast: NewBroadcast): Promise<{ tries: number; wasSentBefore: boolean } | null> {
      const [before = [], [row] = []] = await runBatch(db, [
        db
          .select({ deadAt: paymentBroadcasts.deadAt })
          .from(paymentBroadcasts)
          .where(eq(paymentBroadcasts.signature, broadcast.signature)),
        insertBroadcast(broadcast),
      ]);
      if (!row) return null;
      return { tries: Number(row['tries']), wasSentBefore: before[0]?.['dead_at'] === null };
    },

    /** Marks a signature as dead after the cluster rejected it. Returns false if it was tried again meanwhile. */
    async markRejected({
      signature,
      tries,
      now,
    }: {
      signature: string;
      tries: number;
      now: number;
    }): Promise<boolean> {
      const rejected = await db
        .update(paymentBroadcasts)
        .set({ deadAt: now, ...SENT })
        .where(
          and(
            eq(paymentBroadcasts.signature, signature),
            eq(paymentBroadcasts.tries, tries),
            isNull(paymentBroadcasts.landedAt),
          ),
        )
        .returning({ signature: paymentBroadcasts.signature });
      return rejected.length === 1;
    },

    /**
     * Stores that the transactions are on the chain but can't be read. They count as pending until they can be read.
     */
    async saveUnreadable(payments: readonly UnreadablePayment[], now: number): Promise<void> {
      if (payments.length > 0) await db.run(saveUnreadableStatement(payments, now));
    },

    async markDead(signatures: readonly string[], now: number): Promise<void> {
      if (signatures.length === 0) return;
      await db
        .update(paymentBroadcasts)
        .set({ deadAt: now, ...SENT })
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

/** A transaction that was released or recorded meanwhile stays as it is; one that was rejected isn't dead after all. */
export const saveUnreadableStatement = (payments: readonly UnreadablePayment[], now: number) => sql`
  INSERT INTO payment_broadcasts
    (signature, intent_id, last_valid_block_height, created_at, tries, unreadable_at)
  SELECT value ->> 'signature', value ->> 'intentId', value ->> 'lastValidBlockHeight', ${now}, 0, ${now}
  FROM json_each(${JSON.stringify(payments)})
  WHERE 1
  ON CONFLICT (signature) DO UPDATE SET unreadable_at = excluded.unreadable_at, dead_at = NULL
  WHERE (dead_at IS NULL OR unreadable_at IS NULL) AND landed_at IS NULL`;

function insertBroadcast({ signature, signedBytes, intent, lastValidBlockHeight, now }: NewBroadcast) {
  const row = {
    signature,
    signedBytes,
    intentId: intent.id,
    lastValidBlockHeight,
    createdAt: now,
    nextSendAt: firstRebroadcastAt(now),
  };
  const isAllowed = sql`
    ${intent.expiresAt} > ${now}
    AND ${isUnpaid(intent.id)}
    AND ${isNothingPending(intent, signature)}`;
  return sql`
    ${insertWhere(paymentBroadcasts, row, isAllowed)}
    ON CONFLICT (signature) DO UPDATE SET
      dead_at = NULL,
      tries = tries + 1,
      signed_bytes = excluded.signed_bytes,
      next_send_at = excluded.next_send_at,
      last_valid_block_height = MAX(last_valid_block_height, excluded.last_valid_block_height)
    WHERE intent_id = excluded.intent_id
    RETURNING tries`;
}

export const firstRebroadcastAt = (sentAt: number) => sentAt + (REBROADCAST_PAUSES_MS[0] ?? 0);

function createRebroadcasts(db: Database) {
  const { signature, nextSendAt, deadAt, tries, signedBytes, lastValidBlockHeight } = paymentBroadcasts;
  return {
    /**
     * Takes the transactions that have been due longest, and sets when they are due again in the same
     * statement.
     * It also counts a try, so that a concurrent attempt can't mark a transaction as rejected.
     */
    async takeDue({ now, limit }: { now: number; limit: number }): Promise<DueBroadcast[]> {
      const due = db
        .select({ signature })
        .from(paymentBroadcasts)
        .where(and(lte(nextSendAt, now), isNull(deadAt)))
        .orderBy(asc(nextSendAt))
        .limit(limit);
      const taken = await db
        .update(paymentBroadcasts)
        .set({ tries: sql`${tries} + 1`, nextSendAt: nextSendAtSql(now) })
        .where(inArray(signature, due))
        .returning({ signature, signedBytes, lastValidBlockHeight });
      return taken.map((row) => ({
        signature: row.signature,
        signedBytes: row.signedBytes ?? '',
        lastValidBlockHeight: row.lastValidBlockHeight,
      }));
    },

    async setMissingHeights(signatures: readonly string[], height: number): Promise<void> {
      await db
        .update(paymentBroadcasts)
        .set({ lastValidBlockHeight: height })
        .where(and(inArray(signature, valuesOf(signatures)), isNull(lastValidBlockHeight)));
    },

    async stopSending(signatures: readonly string[]): Promise<void> {
      if (signatures.length === 0) return;
      await db
        .update(paymentBroadcasts)
        .set(SENT)
        .where(inArray(signature, valuesOf(signatures)));
    },

    async findNextDue(): Promise<number | null> {
      const [next] = await db
        .select({ nextSendAt })
        .from(paymentBroadcasts)
        .where(and(isNotNull(nextSendAt), isNull(deadAt)))
        .orderBy(asc(nextSendAt))
        .limit(1);
      return next?.nextSendAt ?? null;
    },
  };
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
      const { lastValidBlockHeight, deadAt, unreadableAt } = row.broadcast;
      return {
        userId: row.userId,
        lastValidBlockHeight: lastValidBlockHeight ?? NO_END,
        isDead: deadAt !== null,
        isReleased: deadAt !== null && unreadableAt !== null,
      };
    },

    /** True if we sent this signature for the intent, or it was the intent's payment before a fork removed it. */
    async wasBroadcastForIntent({
      signature,
      intentId,
    }: {
      signature: string;
      intentId: string;
    }): Promise<boolean> {
      const rows = await db.all(sql`
        SELECT 1 FROM payment_broadcasts
        WHERE signature = ${signature} AND intent_id = ${intentId} AND tries > 0
        UNION ALL
        SELECT 1 FROM payments WHERE signature = ${signature} AND intent_id = ${intentId}
        LIMIT 1`);
      return rows.length === 1;
    },

    /** Open broadcasts without the unreadable ones, the oldest first. */
    listOpen({ after, limit }: PageAfter<OpenBroadcast>): Promise<OpenBroadcast[]> {
      const { createdAt, signature, deadAt, landedAt, unreadableAt } = paymentBroadcasts;
      const position = after && isAfter([createdAt, signature], [after.createdAt, after.signature]);
      return readOpen(
        selectOpen(db)
          .where(and(isNull(deadAt), isNull(landedAt), isNull(unreadableAt), position ?? undefined))
          .orderBy(asc(createdAt), asc(signature))
          .limit(limit),
      );
    },

    /** Unreadable payments, first those that were read the longest ago. */
    listUnreadable: (limit: number): Promise<OpenBroadcast[]> =>
      readOpen(
        selectOpen(db).where(isUnreadablePayment).orderBy(asc(paymentBroadcasts.unreadableAt)).limit(limit),
      ),
  };
}

const selectOpen = (db: Database) =>
  db
    .select({ broadcast: paymentBroadcasts, intent: paymentIntents })
    .from(paymentBroadcasts)
    .innerJoin(paymentIntents, eq(paymentIntents.id, paymentBroadcasts.intentId));

async function readOpen(
  query: PromiseLike<Awaited<ReturnType<typeof selectOpen>>>,
): Promise<OpenBroadcast[]> {
  return (await query).map(({ broadcast, intent }) => ({
    ...broadcast,
    lastValidBlockHeight: broadcast.lastValidBlockHeight ?? NO_END,
    intent,
  }));
}

/** SQL for the time when a row is due again. The row's age decides which pause comes next, so no counter is stored. */
function nextSendAtSql(now: number): SQL {
  let endsAfter = 0;
  const cases = REBROADCAST_PAUSES_MS.slice(0, -1).map((pause) => {
    endsAfter += pause;
    return sql`WHEN ${paymentBroadcasts.createdAt} > ${now - endsAfter} THEN ${now + pause}`;
  });
  return sql`CASE ${sql.join(cases, sql` `)} ELSE ${now + (REBROADCAST_PAUSES_MS.at(-1) ?? 0)} END`;
}
