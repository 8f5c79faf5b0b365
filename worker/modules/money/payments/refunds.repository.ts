import { and, asc, eq, inArray, isNull, lte, max, sql } from 'drizzle-orm';
import { MAX_REFUNDS } from '#schema/constants/money.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { operatorAudit } from '#schema/tables/operators.ts';
import { paymentLedger, refunds } from '#schema/tables/payment-ledger.ts';
import { paymentIntents, payments } from '#schema/tables/payments.ts';
import type { Database } from '../../../shared/database.ts';
import { valuesOf } from '../../../shared/rows.ts';
import { anyOf, hasRow, is } from '../../../shared/sql.ts';
import { newestInLedger } from './paid-periods.repository.ts';

const paymentId = sql`${payments.id}`;

/** A payment with what its refund needs; `refunds` counts those whose transfer was found. */
const paymentColumns = {
  id: payments.id,
  userId: payments.userId,
  callerId: payments.callerId,
  toAddress: payments.payerAddress,
  fromAddress: paymentIntents.callerAddress,
  callerLamports: payments.callerLamports,
  isRefunded: hasRow(
    paymentLedger,
    sql`${paymentLedger.paymentId} = ${paymentId} AND ${paymentLedger.kind} = 'refunded'`,
  ).mapWith(Boolean),
  paymentSlot: sql<number | null>`${newestInLedger('slot', paymentId, ['finalized'])}`,
  refunds: sql<number>`(
    SELECT COUNT(*) FROM refunds r WHERE r.payment_id = ${paymentId} AND r.signature IS NOT NULL)`,
};
const refundColumns = {
  ...paymentColumns,
  reference: refunds.reference,
  signature: refunds.signature,
  sentSignature: refunds.sentSignature,
  lastValidBlockHeight: refunds.lastValidBlockHeight,
};

export type RefundsRepository = ReturnType<typeof createRefundsRepository>;
export type RefundRow = Awaited<ReturnType<RefundsRepository['listDue']>>[number];

interface SentTransfer {
  readonly reference: string;
  /** `null` if the caller's wallet sends the transfer. */
  readonly signature: string | null;
  readonly lastValidBlockHeight: number;
}

export function createRefundsRepository(db: Database) {
  const selectRefunds = () =>
    db
      .select(refundColumns)
      .from(refunds)
      .innerJoin(payments, eq(payments.id, refunds.paymentId))
      .innerJoin(paymentIntents, eq(paymentIntents.id, payments.intentId));

  return {
    async findPayment({ signature, callerId }: { signature: string; callerId: string }) {
      const [row] = await db
        .select(paymentColumns)
        .from(payments)
        .innerJoin(paymentIntents, eq(paymentIntents.id, payments.intentId))
        .where(and(eq(payments.signature, signature), eq(payments.callerId, callerId)));
      return row ?? null;
    },

    findByReferences: (callerId: string, accounts: readonly string[]) =>
      selectRefunds().where(
        and(inArray(refunds.reference, valuesOf(accounts)), eq(payments.callerId, callerId)),
      ),

    /**
     * Opens a refund with this reference, unless the payment already has an open refund.
     * @returns the open refund's reference; `null` if the payment isn't finalized, was refunded in full or has too
     * many refunds
     */
    async open(refund: { reference: string; paymentId: string; now: number }): Promise<string | null> {
      const { reference, now } = refund;
      const [row] = await db.all<{ reference: string }>(sql`
        INSERT INTO refunds (reference, payment_id, opened_at, next_search_at)
        SELECT ${reference}, p.id, ${now}, ${now + MINUTE_MS}
        FROM payments p
        WHERE p.id = ${refund.paymentId}
          AND ${newestInLedger('kind', sql`p.id`, ['finalized', 'refunded'])} = 'finalized'
          AND (SELECT COUNT(*) FROM refunds WHERE payment_id = p.id AND signature IS NOT NULL) < ${MAX_REFUNDS}
        ON CONFLICT (payment_id) WHERE signature IS NULL
        DO UPDATE SET opened_at = excluded.opened_at, next_search_at = excluded.next_search_at
        RETURNING reference`);
      return row?.reference ?? null;
    },

    /**
     * Stores that a transfer is about to be sent.
     * @returns false and changes nothing if the refund was found, or another transfer for it isn't forgotten
     */
    async markSent({ reference, signature, lastValidBlockHeight }: SentTransfer): Promise<boolean> {
      const rows = await db
        .update(refunds)
        .set({ sentSignature: signature, lastValidBlockHeight })
        .where(
          and(
            eq(refunds.reference, reference),
            isNull(refunds.signature),
            anyOf(isNull(refunds.lastValidBlockHeight), sql`${refunds.sentSignature} = ${signature}`),
          ),
        )
        .returning({ reference: refunds.reference });
      return rows.length === 1;
    },

    /** Forgets the transfer with this last block. Keeps one that another page has marked meanwhile. */
    async forgetSent(reference: string, lastValidBlockHeight: number | null): Promise<void> {
      await db
        .update(refunds)
        .set({ sentSignature: null, lastValidBlockHeight: null })
        .where(and(eq(refunds.reference, reference), is(refunds.lastValidBlockHeight, lastValidBlockHeight)));
    },

    async isRecorded(signature: string): Promise<boolean> {
      const rows = await db.select().from(refunds).where(eq(refunds.signature, signature));
      return rows.length > 0;
    },

    /** The time (unix ms) up to which operators have released the refund's unreadable transfers; 0 without a release. */
    async releasedUntil(reference: string): Promise<number> {
      const [row] = await db
        .select({ at: max(operatorAudit.at) })
        .from(operatorAudit)
        .where(and(eq(operatorAudit.subjectId, reference), eq(operatorAudit.action, 'release_payment')));
      return row?.at ?? 0;
    },

    listDue: (now: number, limit: number) =>
      selectRefunds().where(lte(refunds.nextSearchAt, now)).orderBy(asc(refunds.nextSearchAt)).limit(limit),

    /** Sets the next search, later the longer a refund is open, and none after a day. */
    async postpone(references: readonly string[], now: number): Promise<void> {
      const age = sql`${now} - ${refunds.openedAt}`;
      await db
        .update(refunds)
        .set({
          nextSearchAt: sql`CASE WHEN ${age} < ${DAY_MS} THEN ${now} + MAX(${MINUTE_MS}, (${age}) / 4) END`,
        })
        .where(and(inArray(refunds.reference, valuesOf(references)), sql`${refunds.signature} IS NULL`));
    },
  };
}
