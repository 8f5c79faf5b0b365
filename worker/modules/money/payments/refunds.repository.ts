import { and, eq, inArray, max, sql, type SQL } from 'drizzle-orm';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { operatorAudit } from '#schema/tables/operators.ts';
import { refunds } from '#schema/tables/payment-ledger.ts';
import { paymentIntents, payments } from '#schema/tables/payments.ts';
import { recordEach } from '../../log/facts.repository.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { valuesOf } from '../../../shared/rows.ts';
import { is } from '../../../shared/sql.ts';
import {
  endIfPaidBack,
  newestInLedger,
  paidBack,
  recordTransfer,
  type FoundTransfer,
} from './paid-periods.repository.ts';

const paymentId = sql`${payments.id}`;
const isNewestFinal = (id: SQL) =>
  sql`${newestInLedger('kind', id, ['finalized', 'refunded'])} IS 'finalized'`;

/** A refund with its payment. Without an opened or requested refund, the columns of `refunds` are null. */
const refundColumns = {
  paymentId: payments.id,
  userId: payments.userId,
  callerId: payments.callerId,
  toAddress: payments.payerAddress,
  callerLamports: payments.callerLamports,
  totalLamports: payments.totalLamports,
  /** The wallets that may pay back. */
  fromAddresses: sql<string>`(
    SELECT json_group_array(address) FROM (
      SELECT ${paymentIntents.callerAddress} AS address
      UNION SELECT address FROM wallets WHERE user_id = ${payments.callerId} AND proven_at IS NOT NULL))`.mapWith(
    (json: string): readonly string[] => JSON.parse(json),
  ),
  paymentSlot: sql<number | null>`${newestInLedger('slot', paymentId, ['finalized'])}`,
  isRefunded: sql`${newestInLedger('kind', paymentId, ['refunded'])} IS NOT NULL`.mapWith(Boolean),
  paidBack: paidBack(paymentId).mapWith(BigInt),
  reference: refunds.reference,
  openedAt: refunds.openedAt,
  isAsked: sql`${refunds.askedAt} IS NOT NULL`.mapWith(Boolean),
  readSlot: refunds.readSlot,
  readSignature: refunds.readSignature,
  sentSignature: refunds.sentSignature,
  lastValidBlockHeight: refunds.lastValidBlockHeight,
};

const selectPayments = (db: Database) =>
  db
    .select(refundColumns)
    .from(payments)
    .innerJoin(paymentIntents, eq(paymentIntents.id, payments.intentId))
    .leftJoin(refunds, eq(refunds.paymentId, payments.id));

export type RefundsRepository = ReturnType<typeof createRefundsRepository>;
export type PaymentToRefund = Awaited<ReturnType<typeof selectPayments>>[number];
export type RefundRow = PaymentToRefund & {
  readonly reference: string;
  readonly paymentSlot: number;
  readonly readSlot: number;
  readonly readSignature: string;
};

/** False for a payment whose refund nobody has opened or asked for. Only final payments have one. */
export const isRefund = (row: PaymentToRefund): row is RefundRow => row.reference !== null;

interface SentTransfer {
  readonly reference: string;
  /** `null` if the caller's wallet sends the transfer. */
  readonly signature: string | null;
  readonly lastValidBlockHeight: number;
}

interface RefundChange {
  readonly paymentId: string;
  readonly reference: string;
  readonly now: number;
}

export function createRefundsRepository(db: Database) {
  return {
    ...createRefundWrites(db),
    ...createSentTransfers(db),

    async find(signature: string): Promise<PaymentToRefund | null> {
      const [row] = await selectPayments(db).where(eq(payments.signature, signature));
      return row ?? null;
    },

    /** Sets the next search of refunds that are due: later the longer a refund is open, and none after a day. */
    async postponeDue(now: number, limit: number): Promise<RefundRow[]> {
      const rows = await db.all<{ payment_id: string }>(sql`
        UPDATE refunds SET
          next_search_at = iif(opened_at > ${now - DAY_MS}, ${now} + MAX(${MINUTE_MS / 2}, (${now} - opened_at) / 4), NULL)
        WHERE payment_id IN (
          SELECT payment_id FROM refunds WHERE next_search_at <= ${now} ORDER BY next_search_at LIMIT ${limit})
        RETURNING payment_id`);
      const ids = rows.map((row) => row.payment_id);
      return (await selectPayments(db).where(inArray(payments.id, valuesOf(ids)))).filter(isRefund);
    },

    /** The time (unix ms) up to which operators have released the refund's unreadable transfers; 0 without a release. */
    async releasedUntil(reference: string): Promise<number> {
      const [row] = await db
        .select({ at: max(operatorAudit.at) })
        .from(operatorAudit)
        .where(and(eq(operatorAudit.subjectId, reference), eq(operatorAudit.action, 'release_payment')));
      return row?.at ?? 0;
    },
  };
}

function createRefundWrites(db: Database) {
  /** Changes the payment's refund, and returns it. A payment that isn't final or was refunded gets none. */
  const change = ({ paymentId: id, reference }: RefundChange, set: SQL) => [
    sql`
      INSERT INTO refunds (payment_id, reference)
      SELECT p.id, ${reference} FROM payments p
      WHERE p.id = ${id} AND ${isNewestFinal(sql`p.id`)}
        AND NOT EXISTS (SELECT 1 FROM refunds WHERE payment_id = p.id)`,
    sql`
      UPDATE refunds SET ${set}
      WHERE payment_id = ${id} AND ${isNewestFinal(sql`refunds.payment_id`)}
      RETURNING reference, asked_at`,
  ];

  return {
    /**
     * Opens the payment's refund, or opens it again. A refund that is asked for then counts as asked for, whatever follows.
     * If the caller has proven a wallet since, all transactions are read again, because its transfers count now.
     * @returns null if the payment isn't final or was refunded
     */
    async open(refund: RefundChange): Promise<{ reference: string; isAsked: boolean } | null> {
      const { now } = refund;
      const openedAt = sql`MAX(${now}, COALESCE(opened_at, 0), COALESCE(asked_at, 0))`;
      const [, , [opened] = []] = await runBatch(db, [
        sql`
          UPDATE refunds SET read_slot = 0, read_signature = ''
          WHERE payment_id = ${refund.paymentId} AND opened_at < (
            SELECT MAX(w.proven_at) FROM wallets w
            JOIN payments p ON p.caller_id = w.user_id
            WHERE p.id = refunds.payment_id)`,
        ...change(refund, sql`opened_at = ${openedAt}, next_search_at = ${now}`),
      ]);
      return opened ? { reference: String(opened['reference']), isAsked: opened['asked_at'] !== null } : null;
    },

    /**
     * Stores whether the subscriber asks for the refund, and ends the period if the share was already paid back. Clocks
     * may differ, so a request after an opening gets a later time than it.
     * @returns false if the payment isn't final or was refunded, or if the caller has opened the refund that was asked for
     */
    async request(refund: RefundChange & { entryId: string; isAsked: boolean }): Promise<boolean> {
      const { paymentId: id, isAsked, now } = refund;
      const askedAt = isAsked ? sql`COALESCE(asked_at, MAX(${now}, COALESCE(opened_at, 0) + 1))` : sql`NULL`;
      const [, [changed] = []] = await runBatch(db, [
        ...change(refund, sql`asked_at = iif(asked_at <= opened_at, asked_at, ${askedAt})`),
        recordEach(
          'refund_asked',
          sql`
            SELECT ${now} AS at, p.id || ' ' || r.asked_at AS subject, p.caller_id AS user_id
            FROM refunds r JOIN payments p ON p.id = r.payment_id
            WHERE p.id = ${id} AND r.asked_at >= ${now}`,
        ),
        ...endIfPaidBack(refund),
      ]);
      return changed !== undefined && (changed['asked_at'] !== null) === isAsked;
    },

    /**
     * Records transfers, and ends the period if they have paid enough back.
     * @returns how many of them are new
     */
    async record(
      found: readonly FoundTransfer[],
      end: { paymentId: string; readSlot: number; readSignature: string; entryId: string; now: number },
    ): Promise<number> {
      const results = await runBatch(db, [
        ...found.flatMap((transfer) => recordTransfer(transfer, end.now)),
        sql`
          UPDATE refunds SET read_slot = ${end.readSlot}, read_signature = ${end.readSignature}
          WHERE payment_id = ${end.paymentId}
            AND (read_slot, read_signature) < (${end.readSlot}, ${end.readSignature})`,
        ...endIfPaidBack(end),
      ]);
      return results.flat().length;
    },
  };
}

function createSentTransfers(db: Database) {
  return {
    /**
     * Stores that a transfer is about to be sent.
     * @returns false and changes nothing if another transfer for the refund isn't forgotten
     */
    async markSent({ reference, signature, lastValidBlockHeight }: SentTransfer): Promise<boolean> {
      const rows = await db.all(sql`
        UPDATE refunds SET sent_signature = ${signature}, last_valid_block_height = ${lastValidBlockHeight}
        WHERE reference = ${reference} AND (last_valid_block_height IS NULL OR sent_signature = ${signature})
        RETURNING reference`);
      return rows.length === 1;
    },

    /** Forgets the transfer with this last block. Keeps one that another page has marked meanwhile. */
    async forgetSent(reference: string, lastValidBlockHeight: number | null): Promise<void> {
      await db
        .update(refunds)
        .set({ sentSignature: null, lastValidBlockHeight: null })
        .where(and(eq(refunds.reference, reference), is(refunds.lastValidBlockHeight, lastValidBlockHeight)));
    },
  };
}
