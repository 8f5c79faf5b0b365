import { asc, desc, eq, isNotNull, sql } from 'drizzle-orm';
import { ledgerChecks } from '#schema/tables/payment-ledger.ts';
import { paymentIntents, payments } from '#schema/tables/payments.ts';
import type { Database } from '../../shared/database.ts';
import type { IntentRow } from './intents.repository.ts';

/** A payment as the database holds it: with its intent, the ledger's last word and its period. */
export interface PaymentToCheck {
  readonly id: string;
  readonly signature: string;
  readonly createdAt: number;
  readonly intent: IntentRow;
  /** Whether the ledger's last word is that it has a period, and that it is finalized. */
  readonly isGranted: boolean;
  readonly isSettled: boolean;
  /** Whether it says the same as its intent: who, to whom, how much. */
  readonly isAsPinned: boolean;
  /** Paid periods there are for it, and how many of them are exactly the ledger's. */
  readonly periods: number;
  readonly periodsAsInLedger: number;
}

/** A finding: what is wrong, and with what. */
export interface LedgerProblem {
  readonly problem: string;
  readonly subject: string;
}

const ledgerWord = (kinds: string) =>
  sql`(SELECT kind FROM payment_ledger l WHERE l.payment_id = ${payments.id} AND l.kind IN (${sql.raw(kinds)}) ORDER BY l.seq DESC LIMIT 1)`;
const inLedger = (column: 'starts_at' | 'ends_at') => sql`
  (SELECT ${sql.identifier(column)} FROM payment_ledger l WHERE l.payment_id = ${payments.id} AND l.kind IN ('granted', 'moved') ORDER BY l.seq DESC LIMIT 1)`;

export type LedgerChecksRepository = ReturnType<typeof createLedgerChecksRepository>;

/** What the daily comparison reads, and its own rows. Times are unix ms. */
export function createLedgerChecksRepository(db: Database) {
  return {
    /** Begins the check of a day; false where it is done, or somebody began it after `staleBefore`. */
    async begin({
      day,
      now,
      staleBefore,
    }: {
      day: string;
      now: number;
      staleBefore: number;
    }): Promise<boolean> {
      const begun = await db.all(sql`
        INSERT INTO ledger_checks (day, started_at) VALUES (${day}, ${now})
        ON CONFLICT (day) DO UPDATE SET started_at = ${now} WHERE finished_at IS NULL AND started_at < ${staleBefore}
        RETURNING day`);
      return begun.length === 1;
    },

    async finish({
      day,
      ...result
    }: {
      day: string;
      finishedAt: number;
      scannedUntil: string | null;
      problemCount: number;
      problems: string;
    }): Promise<void> {
      await db.update(ledgerChecks).set(result).where(eq(ledgerChecks.day, day));
    },

    /** When the last finished check began and how far it has looked at the platform wallet. */
    async findLastFinished(): Promise<{ startedAt: number; scannedUntil: string | null } | null> {
      const [row] = await db
        .select({ startedAt: ledgerChecks.startedAt, scannedUntil: ledgerChecks.scannedUntil })
        .from(ledgerChecks)
        .where(isNotNull(ledgerChecks.finishedAt))
        .orderBy(desc(ledgerChecks.day))
        .limit(1);
      return row ?? null;
    },

    /** One page of the payments since a moment, oldest first. */
    async listPayments({
      since,
      after,
      limit,
    }: {
      since: number;
      after: Pick<PaymentToCheck, 'createdAt' | 'id'> | null;
      limit: number;
    }): Promise<PaymentToCheck[]> {
      const rows = await db
        .select({
          id: payments.id,
          signature: payments.signature,
          createdAt: payments.createdAt,
          intent: paymentIntents,
          isGranted: sql<number>`${ledgerWord("'granted', 'revoked'")} IS 'granted'`,
          isSettled: sql<number>`${ledgerWord("'settled'")} IS NOT NULL`,
          isAsPinned: sql<number>`(${payments.userId}, ${payments.callerId}, ${payments.totalLamports}, ${payments.callerLamports}, ${payments.platformLamports})
            = (${paymentIntents.userId}, ${paymentIntents.callerId}, ${paymentIntents.totalLamports}, ${paymentIntents.callerLamports}, ${paymentIntents.platformLamports})`,
          periods: sql<number>`(SELECT COUNT(*) FROM subscriptions s WHERE s.payment_id = ${payments.id})`,
          periodsAsInLedger: sql<number>`
            (SELECT COUNT(*) FROM subscriptions s WHERE s.payment_id = ${payments.id} AND s.subscriber_id = ${payments.userId} AND s.caller_id = ${payments.callerId}
              AND s.starts_at = ${inLedger('starts_at')} AND s.ends_at = ${inLedger('ends_at')})`,
        })
        .from(payments)
        .innerJoin(paymentIntents, eq(paymentIntents.id, payments.intentId))
        .where(
          sql`(${payments.createdAt}, ${payments.id}) > (${after?.createdAt ?? since}, ${after?.id ?? ''})`,
        )
        .orderBy(asc(payments.createdAt), asc(payments.id))
        .limit(limit);
      return rows.map((row) => ({
        ...row,
        isGranted: row.isGranted === 1,
        isSettled: row.isSettled === 1,
        isAsPinned: row.isAsPinned === 1,
      }));
    },

    /** Of these signatures, those that are no payment. */
    async listUnknown(signatures: readonly string[]): Promise<string[]> {
      const rows = await db.all<{ signature: string }>(sql`
        SELECT value AS signature FROM json_each(${JSON.stringify(signatures)})
        WHERE value NOT IN (SELECT signature FROM payments) ORDER BY key`);
      return rows.map(({ signature }) => signature);
    },

    /** Paid periods that have not ended and overlap another bounded one of their pair. */
    async listOverlaps(now: number): Promise<LedgerProblem[]> {
      return db.all<LedgerProblem>(sql`
        SELECT 'period.overlaps' AS problem, a.id AS subject
        FROM subscriptions a JOIN subscriptions b
          ON b.subscriber_id = a.subscriber_id AND b.caller_id = a.caller_id AND b.id <> a.id
          AND b.starts_at < a.ends_at AND (b.ends_at IS NULL OR b.ends_at > a.starts_at)
        WHERE a.status = 'active' AND a.ends_at > ${now} AND a.payment_id IS NOT NULL`);
    },

    /** Callers paid since a moment whose counters are not what their payments and subscriptions add up to. */
    async listWrongCounters(since: number): Promise<LedgerProblem[]> {
      return db.all<LedgerProblem>(sql`
        SELECT 'caller.counters' AS problem, caller_id AS subject FROM callers
        WHERE caller_id IN (SELECT caller_id FROM payments WHERE created_at > ${since}) AND (
          earned_lamports <> (SELECT COALESCE(SUM(p.caller_lamports), 0) FROM payments p JOIN subscriptions s ON s.payment_id = p.id WHERE p.caller_id = callers.caller_id)
          OR subscriber_count <> (SELECT COUNT(DISTINCT subscriber_id) FROM subscriptions s WHERE s.caller_id = callers.caller_id AND s.status = 'active'))`);
    },
  };
}
