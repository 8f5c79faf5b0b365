import { and, eq, inArray, isNull, max, or, sql, type SQL } from 'drizzle-orm';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { operatorAudit } from '#schema/tables/operators.ts';
import { refunds } from '#schema/tables/payment-ledger.ts';
import { paymentIntents, payments } from '#schema/tables/payments.ts';
import { recordEach } from '../../log/facts.repository.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { valuesOf } from '../../../shared/rows.ts';
import { anyOf, is } from '../../../shared/sql.ts';
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
  transfers: sql<number>`(SELECT COUNT(*) FROM refund_transfers WHERE payment_id = ${paymentId})`,
  newestTransfer: sql<string | null>`(
    SELECT signature FROM refund_transfers WHERE payment_id = ${paymentId} ORDER BY at DESC, slot DESC LIMIT 1)`,
  reference: refunds.reference,
  openedAt: refunds.openedAt,
  isAsked: sql`${refunds.askedAt} IS NOT NULL`.mapWith(Boolean),
  isAskedOpened: sql`${refunds.askedOpenedAt} IS NOT NULL`.mapWith(Boolean),
  readSlot: refunds.readSlot,
  readSignature: refunds.readSignature,
  sentSignature: refunds.sentSignature,
  lastValidBlockHeight: refunds.lastValidBlockHeight,
};

/** SQL condition: the refund of the payment meets this one. SQLite would read all payments if the join did. */
const isOneOf = (condition: SQL) =>
  sql`${payments.id} IN (SELECT ${refunds.paymentId} FROM refunds WHERE ${condition})`;

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
  readonly readSlot: number;
  readonly readSignature: string;
};

/** False for a payment whose refund nobody has opened or asked for. */
const isRefund = (row: PaymentToRefund): row is RefundRow => row.reference !== null;

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

    /** A payment of this subscriber or to this caller. */
    async findPayment({
      signature,
      userId,
    }: {
      signature: string;
      userId: string;
    }): Promise<PaymentToRefund | null> {
      const isParty = or(eq(payments.userId, userId), eq(payments.callerId, userId));
      const [row] = await selectPayments(db).where(and(eq(payments.signature, signature), isParty));
      return row ?? null;
    },

    async findByReferences(callerId: string, accounts: readonly string[]): Promise<RefundRow[]> {
      const isNamed = inArray(refunds.reference, valuesOf(accounts));
      const rows = await selectPayments(db).where(
        and(isOneOf(isNamed), sql`+${payments.callerId} = ${callerId}`),
      );
      return rows.filter(isRefund);
    },

    async listDue(now: number, limit: number): Promise<RefundRow[]> {
      const isDue = sql`${refunds.nextSearchAt} <= ${now} ORDER BY ${refunds.nextSearchAt} LIMIT ${limit}`;
      return (await selectPayments(db).where(isOneOf(isDue))).filter(isRefund);
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
  /** A payment has one refund. A payment that isn't final or was refunded gets none. */
  const create = ({ paymentId: id, reference }: RefundChange) => sql`
    INSERT INTO refunds (payment_id, reference)
    SELECT p.id, ${reference} FROM payments p
    WHERE p.id = ${id} AND ${isNewestFinal(sql`p.id`)}
      AND NOT EXISTS (SELECT 1 FROM refunds WHERE payment_id = p.id)`;

  return {
    /**
     * Opens the payment's refund, or opens it again. A refund that is asked for then counts as asked for, whatever follows.
     * @returns its reference; null if the payment isn't final or was refunded
     */
    async open(refund: RefundChange): Promise<string | null> {
      const { paymentId: id, now } = refund;
      const [, opened = []] = await runBatch(db, [
        create(refund),
        sql`
          UPDATE refunds SET
            opened_at = ${now},
            next_search_at = ${now + MINUTE_MS},
            asked_opened_at = iif(asked_at IS NULL, NULL, COALESCE(asked_opened_at, ${now}))
          WHERE payment_id = ${id} AND ${isNewestFinal(sql`refunds.payment_id`)}
          RETURNING reference`,
      ]);
      return opened[0] ? String(opened[0]['reference']) : null;
    },

    /**
     * Stores that the subscriber asks for the refund, and ends the period if the share was already paid back.
     * @returns false if the payment isn't final or was refunded
     */
    async ask(refund: RefundChange & { entryId: string }): Promise<boolean> {
      const { paymentId: id, now } = refund;
      const [, asked = []] = await runBatch(db, [
        create(refund),
        sql`
          UPDATE refunds SET asked_at = COALESCE(asked_at, ${now})
          WHERE payment_id = ${id} AND ${isNewestFinal(sql`refunds.payment_id`)}
          RETURNING payment_id`,
        recordEach(
          'refund_asked',
          sql`
            SELECT ${now} AS at, p.id AS subject, p.caller_id AS user_id
            FROM refunds r JOIN payments p ON p.id = r.payment_id
            WHERE p.id = ${id} AND r.asked_at = ${now}`,
        ),
        ...endIfPaidBack(refund),
      ]);
      return asked.length === 1;
    },

    /** @returns false if the caller has opened the refund since it was asked for, or has paid it */
    async takeBack(id: string): Promise<boolean> {
      const rows = await db
        .update(refunds)
        .set({ askedAt: null })
        .where(
          and(
            eq(refunds.paymentId, id),
            isNull(refunds.askedOpenedAt),
            isNewestFinal(sql`${refunds.paymentId}`),
          ),
        )
        .returning({ id: refunds.paymentId });
      return rows.length === 1;
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
      const rows = await db
        .update(refunds)
        .set({ sentSignature: signature, lastValidBlockHeight })
        .where(
          and(
            eq(refunds.reference, reference),
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

    /** Sets the next search, later the longer a refund is open, and none after a day. */
    async postpone(paymentIds: readonly string[], now: number): Promise<void> {
      const age = sql`${now} - ${refunds.openedAt}`;
      await db
        .update(refunds)
        .set({
          nextSearchAt: sql`CASE WHEN ${age} < ${DAY_MS} THEN ${now} + MAX(${MINUTE_MS}, (${age}) / 4) END`,
        })
        .where(inArray(refunds.paymentId, valuesOf(paymentIds)));
    },
  };
}
