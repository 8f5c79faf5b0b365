import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { PaymentMismatch } from '#schema/rules/money/payment.ts';
import { paymentLedger, paymentOrphans } from '#schema/tables/payment-ledger.ts';
import { paymentIntents, payments } from '#schema/tables/payments.ts';
import { subscriptions } from '#schema/tables/subscriptions.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { valuesOf } from '../../../shared/rows.ts';
import { isAfter } from '../../../shared/sql.ts';
import {
  grantPeriod,
  revokePeriod,
  finalizePeriods,
  isGrantedInLedger,
  type Grant,
  type Revocation,
} from './paid-periods.repository.ts';
import type { PageAfter } from './page-after.ts';

export type PaymentRow = typeof payments.$inferSelect &
  Pick<typeof paymentIntents.$inferSelect, 'feeLamports'>;
export type OrphanRow = typeof paymentOrphans.$inferInsert;
export type PaymentRefusal = `payments.${PaymentMismatch}`;

export interface UnfinalizedPayment {
  readonly grantedAt: number;
  readonly paymentId: string;
  readonly signature: string;
  readonly grantId: string;
  readonly slot: number;
}

const isGranted = isGrantedInLedger(sql`${payments.id}`);

export type LedgerRepository = ReturnType<typeof createLedgerRepository>;

export function createLedgerRepository(db: Database) {
  return {
    ...createLedgerReads(db),

    /** Returns false and changes nothing if the signature already has a period or belongs to another intent. */
    async grant({ payment, ...grant }: Grant & { payment: typeof payments.$inferInsert }): Promise<boolean> {
      const results = await runBatch(db, [
        db.insert(payments).values(payment).onConflictDoNothing({ target: payments.signature }),
        ...grantPeriod({ payment, ...grant }),
      ]);
      // Only the statement that inserts the period returns a row.
      return results.flat().length === 1;
    },

    async finalize(finalized: readonly { paymentId: string; slot: number }[], now: number): Promise<void> {
      if (finalized.length > 0) await runBatch(db, finalizePeriods(finalized, now));
    },

    /** Returns false and changes nothing if the period was finalized or granted again since, or if it's too early. */
    async revoke(revocation: Revocation): Promise<boolean> {
      const [revoked = []] = await runBatch(db, revokePeriod(revocation));
      return revoked.length === 1;
    },

    insertOrphanStatements: (orphans: readonly OrphanRow[]) =>
      orphans.map((orphan) => db.insert(paymentOrphans).values(orphan).onConflictDoNothing()),
  };
}

function createLedgerReads(db: Database) {
  return {
    async findPayment(signature: string): Promise<(PaymentRow & { isGranted: boolean }) | null> {
      const [row] = await db
        .select({
          payment: payments,
          feeLamports: paymentIntents.feeLamports,
          isGranted: isGranted.mapWith(Boolean),
        })
        .from(payments)
        .innerJoin(paymentIntents, eq(paymentIntents.id, payments.intentId))
        .where(eq(payments.signature, signature));
      return row ? { ...row.payment, feeLamports: row.feeLamports, isGranted: row.isGranted } : null;
    },

    async listGranted(signatures: readonly string[]): Promise<ReadonlySet<string>> {
      const rows = await db
        .select({ signature: payments.signature })
        .from(payments)
        .where(and(inArray(payments.signature, valuesOf(signatures)), isGranted));
      return new Set(rows.map(({ signature }) => signature));
    },

    async findPaid(intentId: string): Promise<string | null> {
      const [row] = await db
        .select({ id: payments.id })
        .from(payments)
        .where(and(eq(payments.intentId, intentId), isGranted))
        .limit(1);
      return row?.id ?? null;
    },

    async findOrphanReason({ id, userId }: { id: string; userId: string }): Promise<PaymentRefusal | null> {
      const [row] = await db
        .select({ reason: paymentOrphans.reason })
        .from(paymentOrphans)
        .where(and(eq(paymentOrphans.userId, userId), eq(paymentOrphans.intentId, id)))
        .limit(1);
      return row?.reason ?? null;
    },

    listUnfinalized: ({ after, limit }: PageAfter<UnfinalizedPayment>): Promise<UnfinalizedPayment[]> =>
      db
        .select({
          grantedAt: subscriptions.createdAt,
          paymentId: payments.id,
          signature: payments.signature,
          grantId: paymentLedger.id,
          // The database requires a slot for every grant, so this isn't null.
          slot: sql<number>`${paymentLedger.slot}`,
        })
        .from(subscriptions)
        .innerJoin(payments, eq(payments.id, subscriptions.paymentId))
        .innerJoin(
          paymentLedger,
          sql`${paymentLedger.seq} = (
            SELECT MAX(l.seq) FROM payment_ledger l
            WHERE l.payment_id = ${subscriptions.paymentId} AND l.kind = 'granted')`,
        )
        .where(
          and(
            isNotNull(subscriptions.paymentId),
            isNull(subscriptions.finalizedAt),
            isAfter(
              [subscriptions.createdAt, subscriptions.paymentId],
              [after?.grantedAt ?? 0, after?.paymentId ?? ''],
            ),
          ),
        )
        .orderBy(subscriptions.createdAt, subscriptions.paymentId)
        .limit(limit),
  };
}
