import { asc, desc, eq, isNotNull, sql, type SQL } from 'drizzle-orm';
import { ledgerChecks } from '#schema/tables/payment-ledger.ts';
import { paymentIntents, payments } from '#schema/tables/payments.ts';
import type { Database } from '../../shared/database.ts';
import { newestInLedger, periodInLedger } from './ledger-statements.ts';
import type { PageAfter } from './page-after.ts';

export interface LedgerProblem {
  readonly problem: string;
  /** The signature or id of the affected row. */
  readonly subject: string;
}

const paymentId = sql`${payments.id}`;
const isTrue = (condition: SQL) => sql`${condition}`.mapWith(Boolean);
const agreedColumns = (table: typeof payments | typeof paymentIntents) => sql`(
  ${table.userId},
  ${table.callerId},
  ${table.totalLamports},
  ${table.callerLamports},
  ${table.platformLamports})`;

const paymentToCheck = {
  id: payments.id,
  signature: payments.signature,
  createdAt: payments.createdAt,
  intent: paymentIntents,
  /** True if the payment's newest grant or revocation is a grant. */
  isGranted: isTrue(sql`${newestInLedger('kind', paymentId, ['granted', 'revoked'])} IS 'granted'`),
  isSettled: isTrue(sql`${newestInLedger('kind', paymentId, ['settled'])} IS NOT NULL`),
  matchesIntent: isTrue(sql`${agreedColumns(payments)} = ${agreedColumns(paymentIntents)}`),
  periods: sql<number>`(SELECT COUNT(*) FROM subscriptions s WHERE s.payment_id = ${payments.id})`,
  /** The number of subscription rows with exactly the times of the ledger. */
  matchingPeriods: sql<number>`(
    SELECT COUNT(*) FROM subscriptions s
    WHERE s.payment_id = ${payments.id}
      AND s.subscriber_id = ${payments.userId}
      AND s.caller_id = ${payments.callerId}
      AND s.starts_at = ${periodInLedger('starts_at', paymentId)}
      AND s.ends_at = ${periodInLedger('ends_at', paymentId)})`,
};

export type LedgerChecksRepository = ReturnType<typeof createLedgerChecksRepository>;
export type PaymentToCheck = Awaited<ReturnType<LedgerChecksRepository['listPayments']>>[number];

/** Stores the daily checks and finds problems. Times are unix ms. */
export function createLedgerChecksRepository(db: Database) {
  return {
    ...createCheckRuns(db),
    ...createProblemQueries(db),

    /** Lists payments, oldest first. The first page begins with the payments after `since`. */
    async listPayments(since: number, { after, limit }: PageAfter<{ createdAt: number; id: string }>) {
      return db
        .select(paymentToCheck)
        .from(payments)
        .innerJoin(paymentIntents, eq(paymentIntents.id, payments.intentId))
        .where(
          sql`(${payments.createdAt}, ${payments.id}) > (${after?.createdAt ?? since}, ${after?.id ?? ''})`,
        )
        .orderBy(asc(payments.createdAt), asc(payments.id))
        .limit(limit);
    },
  };
}

function createCheckRuns(db: Database) {
  return {
    /**
     * Starts a day's check.
     * @returns false if the check is done, or if it was started after `staleBefore`
     */
    async begin({ day, now, staleBefore }: { day: string; now: number; staleBefore: number }) {
      const begun = await db
        .insert(ledgerChecks)
        .values({ day, startedAt: now })
        .onConflictDoUpdate({
          target: ledgerChecks.day,
          set: { startedAt: now },
          setWhere: sql`${ledgerChecks.finishedAt} IS NULL AND ${ledgerChecks.startedAt} < ${staleBefore}`,
        })
        .returning({ day: ledgerChecks.day });
      return begun.length === 1;
    },

    async finish({ day, ...result }: Omit<Required<typeof ledgerChecks.$inferInsert>, 'startedAt'>) {
      await db.update(ledgerChecks).set(result).where(eq(ledgerChecks.day, day));
    },

    async findLastFinished(): Promise<{ startedAt: number; scannedUntil: string | null } | null> {
      const [row] = await db
        .select({ startedAt: ledgerChecks.startedAt, scannedUntil: ledgerChecks.scannedUntil })
        .from(ledgerChecks)
        .where(isNotNull(ledgerChecks.finishedAt))
        .orderBy(desc(ledgerChecks.day))
        .limit(1);
      return row ?? null;
    },
  };
}

function createProblemQueries(db: Database) {
  return {
    /** The given signatures that belong to no payment, in the given order. */
    async listUnknown(signatures: readonly string[]): Promise<string[]> {
      const rows = await db.all<{ signature: string }>(sql`
        SELECT value AS signature FROM json_each(${JSON.stringify(signatures)})
        WHERE value NOT IN (SELECT signature FROM payments)
        ORDER BY key`);
      return rows.map(({ signature }) => signature);
    },

    /** Paid periods that have not ended and overlap another period of the same subscriber and caller. */
    async listOverlaps(now: number): Promise<LedgerProblem[]> {
      return db.all<LedgerProblem>(sql`
        SELECT 'period.overlaps' AS problem, a.id AS subject
        FROM subscriptions a
        JOIN subscriptions b
          ON b.subscriber_id = a.subscriber_id
          AND b.caller_id = a.caller_id
          AND b.id <> a.id
          AND b.starts_at < a.ends_at
          AND (b.ends_at IS NULL OR b.ends_at > a.starts_at)
        WHERE a.status = 'active' AND a.ends_at > ${now} AND a.payment_id IS NOT NULL`);
    },

    /** Callers with a payment after `since` whose counters don't match their payments and subscriptions. */
    async listWrongCounters(since: number): Promise<LedgerProblem[]> {
      return db.all<LedgerProblem>(sql`
        SELECT 'caller.counters' AS problem, caller_id AS subject
        FROM callers
        WHERE caller_id IN (SELECT caller_id FROM payments WHERE created_at > ${since}) AND (
          earned_lamports <> (
            SELECT COALESCE(SUM(p.caller_lamports), 0) FROM payments p
            JOIN subscriptions s ON s.payment_id = p.id
            WHERE p.caller_id = callers.caller_id)
          OR subscriber_count <> (
            SELECT COUNT(DISTINCT subscriber_id) FROM subscriptions s
            WHERE s.caller_id = callers.caller_id AND s.status = 'active'))`);
    },
  };
}
