import { and, asc, eq, isNull, lte, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { DAY_MS } from '#schema/constants/time.ts';
import { ledgerChecks } from '#schema/tables/payment-ledger.ts';
import { payments, unreadTransactions } from '#schema/tables/payments.ts';
import { FIRST_POSITION, type ListedPosition } from '../../../ports/chain.ts';
import type { Database } from '../../../shared/database.ts';

const ROWS_PER_RUN = 10;
/** A fork can have removed some of them. */
const START_POSITIONS = 10;

export type UnreadRow = typeof unreadTransactions.$inferSelect;
export type UnreadEntry = UnreadRow['entries'][number];

export interface Dust {
  readonly transfers: number;
  readonly lamports: bigint;
}

export type UnreadRepository = ReturnType<typeof createUnreadRepository>;

export function createUnreadRepository(db: Database) {
  const { id, dueAt, slot, isRetry } = unreadTransactions;
  const hasIntents = (list: readonly UnreadEntry[]) => list.some((entry) => entry.length > 1);

  return {
    async listUnknown(signatures: readonly string[]): Promise<ReadonlySet<string>> {
      const rows = await db.all<{ signature: string }>(sql`
        SELECT value AS signature FROM json_each(${JSON.stringify(signatures)})
        WHERE NOT EXISTS (
            SELECT 1
            FROM payments p
            JOIN subscriptions s ON s.payment_id = p.id
            WHERE p.signature = value)
          AND NOT EXISTS (SELECT 1 FROM payment_orphans WHERE signature = value)`);
      return new Set(rows.map(({ signature }) => signature));
    },

    async readProgress(now: number): Promise<{ cursor: string | null; isDue: boolean }> {
      const [row] = await db.all<{ cursor: string | null; isDue: 0 | 1 }>(sql`
        SELECT (SELECT cursor FROM job_leases WHERE job = 'payments.walk') AS cursor,
          EXISTS (SELECT 1 FROM unread_transactions WHERE is_retry IN (0, 1) AND due_at <= ${now}) AS isDue`);
      return { cursor: row?.cursor ?? null, isDue: row?.isDue === 1 };
    },

    /** The rows that are due. Rows that earlier runs couldn't read come last. */
    async listDue(now: number): Promise<UnreadRow[]> {
      const due = (condition: SQL) =>
        db
          .select()
          .from(unreadTransactions)
          .where(and(lte(dueAt, now), condition))
          .orderBy(asc(dueAt), asc(slot))
          .limit(ROWS_PER_RUN);
      const lists = await Promise.all([
        due(eq(isRetry, false)),
        due(sql`has_priority = 1`),
        due(eq(isRetry, true)),
      ]);
      const rows = new Map(lists.flat().map((row) => [row.id, row]));
      return [...rows.values()].toSorted(
        (one, other) =>
          Number(one.isRetry) - Number(other.isRetry) ||
          Number(one.dueAt) - Number(other.dueAt) ||
          one.slot - other.slot,
      );
    },

    /**
     * The positions at which the platform walk starts without a saved position, for example in a restored database:
     * payments of a day before the newest payment. Empty without a payment.
     */
    async listStartPositions(): Promise<ListedPosition[]> {
      const found = await db.all<ListedPosition>(sql`
        SELECT signature, slot FROM payments
        WHERE created_at <= (SELECT MAX(created_at) FROM payments) - ${DAY_MS}
        ORDER BY created_at DESC
        LIMIT ${START_POSITIONS}`);
      if (found.length > 0) return found;
      const any = await db.select({ id: payments.id }).from(payments).limit(1);
      return any.length > 0 ? [FIRST_POSITION] : [];
    },

    /** Without `dueAt`, the transactions wait until their listing is complete. */
    insertStatement: (
      row: Pick<UnreadRow, 'slot' | 'isRetry' | 'entries'> & { dueAt?: number },
    ): SQLWrapper => db.insert(unreadTransactions).values({ ...row, hasPriority: hasIntents(row.entries) }),

    readLater: createReadLater(db),

    releaseStatement: (now: number): SQLWrapper =>
      db.update(unreadTransactions).set({ dueAt: now }).where(isNull(dueAt)),

    discardStatement: (): SQLWrapper => db.delete(unreadTransactions).where(isNull(dueAt)),

    replaceStatement(rowId: number, left: readonly UnreadEntry[]): SQLWrapper {
      if (left.length === 0) return db.delete(unreadTransactions).where(eq(id, rowId));
      return db
        .update(unreadTransactions)
        .set({ entries: left, hasPriority: hasIntents(left) })
        .where(eq(id, rowId));
    },

    countDustStatement: ({ transfers, lamports }: Dust): SQLWrapper =>
      db
        .update(ledgerChecks)
        .set({
          dustTransfers: sql`${ledgerChecks.dustTransfers} + ${transfers}`,
          dustLamports: sql`${ledgerChecks.dustLamports} + ${Number(lamports)}`,
        })
        .where(sql`${ledgerChecks.day} = (SELECT MAX(day) FROM ledger_checks)`),
  };
}

const createReadLater =
  (db: Database) =>
  /** Lets a later run read this transaction, unless it waits for that already or is an orphan. */
  async (signature: string, at: number): Promise<void> => {
    const entries = JSON.stringify([[signature]] satisfies UnreadEntry[]);
    await db.run(sql`
      INSERT INTO unread_transactions (due_at, slot, is_retry, entries, has_priority)
      SELECT ${at}, 0, 1, ${entries}, 0
      WHERE NOT EXISTS (SELECT 1 FROM unread_transactions WHERE is_retry = 1 AND entries = ${entries})
        AND NOT EXISTS (SELECT 1 FROM payment_orphans WHERE signature = ${signature})`);
  };
