import { and, asc, desc, eq, isNotNull, lte, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { earnedMonths, ledgerChecks } from '#schema/tables/payment-ledger.ts';
import { paymentIntents, payments } from '#schema/tables/payments.ts';
import type { Database } from '../../../shared/database.ts';
import { isAfter } from '../../../shared/sql.ts';
import { countSubscribers, subscriberCounts } from '../subscriptions/subscribers.repository.ts';
import { isGrantedInLedger, newestInLedger, paidBack, periodInLedger } from './paid-periods.repository.ts';
import type { PageAfter } from './page-after.ts';

export interface LedgerProblem {
  readonly problem: string;
  readonly subject: string;
}

/** Our commission from a month's compared payments, according to the ledger and to the chain. */
export type Earned = Omit<typeof earnedMonths.$inferSelect, 'payments' | 'lamports'>;

export type CheckRow = typeof ledgerChecks.$inferSelect;

export type CheckResults = Pick<CheckRow, 'problemCount' | 'problems'>;

const paymentId = sql`${payments.id}`;
const agreedColumns = (table: typeof payments | typeof paymentIntents) => sql`(
  ${table.userId},
  ${table.callerId},
  ${table.totalLamports},
  ${table.callerLamports},
  ${table.platformLamports})`;

const paymentToCheck = {
  id: payments.id,
  signature: payments.signature,
  paidAt: payments.paidAt,
  createdAt: payments.createdAt,
  intent: paymentIntents,
  isGranted: isGrantedInLedger(paymentId).mapWith(Boolean),
  /** True if the ledger has a period for the payment: it was neither revoked nor refunded before its start. */
  hasPeriod: isNotNull(periodInLedger('starts_at', paymentId)).mapWith(Boolean),
  isSettled: isNotNull(newestInLedger('kind', paymentId, ['finalized'])).mapWith(Boolean),
  matchesIntent: eq(agreedColumns(payments), agreedColumns(paymentIntents)).mapWith(Boolean),
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

export interface TimeAndId {
  readonly at: number;
  readonly id: string;
}

export type LedgerChecksRepository = ReturnType<typeof createLedgerChecksRepository>;
export type PaymentToCheck = Awaited<ReturnType<LedgerChecksRepository['listPayments']>>[number];

export function createLedgerChecksRepository(db: Database) {
  return {
    ...createCheckRuns(db),
    ...createProblemQueries(db),

    async listPayments(query: PageAfter<TimeAndId> & { since: number; until: number }) {
      const { since, until, after, limit } = query;
      return db
        .select(paymentToCheck)
        .from(payments)
        .innerJoin(paymentIntents, eq(paymentIntents.id, payments.intentId))
        .where(
          and(
            isAfter([payments.createdAt, payments.id], [after?.at ?? since, after?.id ?? '']),
            lte(payments.createdAt, until),
          ),
        )
        .orderBy(asc(payments.createdAt), asc(payments.id))
        .limit(limit);
    },
  };
}

function createCheckRuns(db: Database) {
  const findOne = async (condition?: SQL): Promise<CheckRow | null> => {
    const [row] = await db
      .select()
      .from(ledgerChecks)
      .where(condition)
      .orderBy(desc(ledgerChecks.day))
      .limit(1);
    return row ?? null;
  };

  return {
    findNewest: () => findOne(),
    findLastFinished: () => findOne(isNotNull(ledgerChecks.finishedAt)),

    async begin(day: string, now: number): Promise<CheckRow | null> {
      const [begun] = await db
        .insert(ledgerChecks)
        .values({ day, startedAt: now })
        .onConflictDoNothing()
        .returning();
      return begun ?? null;
    },

    /** `finishedAt: null` keeps the check unfinished. */
    updateStatement: (day: string, results: CheckResults & Pick<CheckRow, 'finishedAt'>): SQLWrapper =>
      db.update(ledgerChecks).set(results).where(eq(ledgerChecks.day, day)),

    addEarnedStatements: (earned: readonly Earned[]): SQLWrapper[] =>
      earned.map((month) =>
        db
          .insert(earnedMonths)
          .values(month)
          .onConflictDoUpdate({
            target: earnedMonths.month,
            set: {
              checkedPayments: sql`checked_payments + ${month.checkedPayments}`,
              ledgerLamports: sql`ledger_lamports + ${Number(month.ledgerLamports)}`,
              chainLamports: sql`chain_lamports + ${Number(month.chainLamports)}`,
            },
          }),
      ),
  };
}

function createProblemQueries(db: Database) {
  return {
    /**
     * Paid periods that have not ended, sorted by their end. `overlaps` is true if another period of the same
     * subscriber and caller overlaps, both with their silent days.
     */
    async listPaidPeriods({ now, after, limit }: PageAfter<TimeAndId> & { now: number }) {
      const rows = await db.all<TimeAndId & { overlaps: number }>(sql`
        SELECT a.id, a.known_end AS at,
          EXISTS (
            SELECT 1 FROM periods p JOIN periods b
            WHERE p.id = a.id
              AND b.subscriber_id = a.subscriber_id
              AND b.caller_id = a.caller_id
              AND b.id <> a.id
              AND b.starts_at < p.ends_at
              AND (b.ends_at IS NULL OR b.ends_at > p.starts_at)) AS overlaps
        FROM subscriptions a
        WHERE a.status = 'active'
          AND a.payment_id IS NOT NULL
          AND (a.known_end, a.id) > (${after?.at ?? now + 1}, ${after?.id ?? ''})
        ORDER BY a.known_end, a.id
        LIMIT ${limit}`);
      return rows.map((row) => ({ ...row, overlaps: row.overlaps === 1 }));
    },

    /**
     * Callers sorted by id. `isWrong` is true for a caller with a payment after `since` whose earnings or
     * subscriber count differ from the payments and subscriptions.
     */
    async listCounters({ since, after, limit }: PageAfter<string> & { since: number }) {
      const rows = await db.all<{ id: string; isWrong: number }>(sql`
        SELECT caller_id AS id,
          EXISTS (SELECT 1 FROM payments WHERE caller_id = callers.caller_id AND created_at > ${since}) AND (
            earned_lamports <> (
              SELECT COALESCE(SUM(MAX(0, p.caller_lamports - ${paidBack(sql`p.id`)})), 0) FROM payments p
              WHERE p.caller_id = callers.caller_id AND ${isGrantedInLedger(sql`p.id`)})
            OR (${subscriberCounts}) IS NOT ${countSubscribers}) AS isWrong
        FROM callers
        WHERE caller_id > ${after ?? ''}
        ORDER BY caller_id
        LIMIT ${limit}`);
      return rows.map(({ id, isWrong }) => ({ id, isWrong: isWrong === 1 }));
    },
  };
}
