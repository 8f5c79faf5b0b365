import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import { calls } from '#schema/tables/calls.ts';
import { refundTransfers } from '#schema/tables/payment-ledger.ts';
import { payoutChanges } from '#schema/tables/notices.ts';
import { paperFollows } from '#schema/tables/paper-follows.ts';
import { paymentIntents, payments } from '#schema/tables/payments.ts';
import { devices } from '#schema/tables/sessions.ts';
import { silentDays } from '#schema/tables/silent-days.ts';
import { subscriptions } from '#schema/tables/subscriptions.ts';
import type { JsonText } from '#schema/rules/typed-json.ts';
import type { OutgoingEvent } from '../../../ports/outbox.ts';
import { callerSummary } from '../../money/callers/caller-summary.ts';
import { paidBack } from '../../money/payments/paid-periods.repository.ts';
import type { Database } from '../../../shared/database.ts';
import type { LoggedMark } from '../../log/log-entries.ts';
import { markOf } from '../../log/log-entries.repository.ts';
import {
  columnsOf,
  computed,
  optional,
  present,
  selection,
  selectRow,
  type SelectedRow,
} from '../../../shared/rows.ts';

/** The subscriber's names are null unless the subscriber is also a caller. */
const paymentColumns = selection(
  columnsOf(payments, 'p', ['signature', 'callerLamports', 'paidAt', 'payerAddress']),
  present(columnsOf(subscriptions, 's', ['endsAt'])),
  computed<{ paidBack: number }>({ paidBack: paidBack(sql`p.id`) }),
  optional(callerSummary),
);

const ownPaymentColumns = selection(
  columnsOf(payments, 'p', ['signature', 'totalLamports']),
  columnsOf(paymentIntents, 'i', ['days']),
  present(columnsOf(subscriptions, 's', ['endsAt'])),
  callerSummary,
);

const refundColumns = selection(
  columnsOf(refundTransfers, 't', ['lamports']),
  columnsOf(payments, 'p', ['signature']),
  computed<{ isRefunded: number }>({
    isRefunded: sql`EXISTS (SELECT 1 FROM payment_ledger WHERE payment_id = p.id AND kind = 'refunded')`,
  }),
  callerSummary,
);

const paperEndColumns = selection(
  columnsOf(calls, 'k', ['tokenSymbol', 'tokenName', 'tokenMint']),
  present(columnsOf(calls, 'k', ['endPrice', 'changePercent'])),
  columnsOf(paperFollows, 'f', ['amountUsd']),
  computed<{
    countedChange: number;
    open: JsonText<LoggedMark> | null;
    end: JsonText<LoggedMark> | null;
  }>({
    countedChange: 'COALESCE(k.counted_change, k.change_percent)',
    open: markOf('open'),
    end: markOf('end'),
  }),
  callerSummary,
);

type Subject = Pick<OutgoingEvent, 'userId' | 'subject'>;

export type FoundPayment = SelectedRow<typeof paymentColumns>;

export type NoticesRepository = ReturnType<typeof createNoticesRepository>;

/** Reads the data of notices, each only for the notice's own user. Times are unix ms. */
export function createNoticesRepository(db: Database) {
  return {
    async findPayoutChange({ userId, subject }: Subject) {
      const { seq, callerId } = payoutChanges;
      const [change] = await db
        .select()
        .from(payoutChanges)
        .where(and(eq(seq, Number(subject)), eq(callerId, userId)));
      return change ?? null;
    },

    async findDevice({ userId, subject }: Subject) {
      const { label, at, tokenHash } = devices;
      const [hash = ''] = subject.split(':');
      const [device] = await db
        .select({ label, at })
        .from(devices)
        .where(and(eq(devices.userId, userId), eq(tokenHash, hash)));
      return device ?? null;
    },

    async findOpenCall({ userId, subject }: Subject) {
      const { id, callerId, tokenSymbol, tokenName, tokenMint, calledAt, endedAt } = calls;
      const [call] = await db
        .select({ tokenSymbol, tokenName, tokenMint, calledAt })
        .from(calls)
        .where(and(eq(id, subject), eq(callerId, userId), isNull(endedAt)));
      return call ?? null;
    },

    /** The silence, with the end of the user's paid time. It is null for the caller. */
    async findSilence({ userId, subject }: Subject) {
      const [callerId, number] = subject.split(':');
      const columns = selection(
        columnsOf(silentDays, 'd', ['callerId', 'since']),
        callerSummary,
        computed<{ endsAt: number | null }>({
          endsAt: sql<number | null>`(
            SELECT MAX(ends_at) FROM periods
            WHERE subscriber_id = ${userId} AND caller_id = d.caller_id AND payment_id IS NOT NULL)`,
        }),
      );
      const query = sql`
        SELECT ${columns.list} FROM silent_days d JOIN users u ON u.id = d.caller_id
        WHERE d.caller_id = ${callerId} AND d.number = ${Number(number)}`;
      return selectRow(db, columns, query);
    },

    /**
     * The ended ranked call of a caller whom the user follows on paper. Null for subscribers, who get the message about the
     * call's end anyway, and for somebody who has muted the caller.
     */
    async findPaperEnd({ userId, subject }: Subject) {
      const query = sql`
        SELECT ${paperEndColumns.list}
        FROM calls k
        JOIN users u ON u.id = k.caller_id
        JOIN paper_follows f ON f.caller_id = k.caller_id AND f.user_id = ${userId} AND f.since <= k.called_at
        WHERE k.id = ${subject} AND k.follower_rule IS NOT NULL AND k.unranked_reason IS NULL AND u.is_hidden = 0
          AND NOT EXISTS (
            SELECT 1 FROM subscriptions
            WHERE subscriber_id = f.user_id AND caller_id = f.caller_id AND status = 'active')
          AND NOT EXISTS (
            SELECT 1 FROM notification_mutes WHERE user_id = f.user_id AND caller_id = f.caller_id)`;
      return selectRow(db, paperEndColumns, query);
    },

    async findRefund({ userId, subject }: Subject) {
      const [paymentId = '', signature = ''] = subject.split(' ');
      const query = sql`
        SELECT ${refundColumns.list}
        FROM refund_transfers t
        JOIN payments p ON p.id = t.payment_id
        JOIN users u ON u.id = p.caller_id
        WHERE t.signature = ${signature} AND p.id = ${paymentId} AND p.user_id = ${userId}`;
      return selectRow(db, refundColumns, query);
    },

    findOwnPayment: (subject: Subject) => findOwnPayment(db, subject),

    findPayment: (subject: Subject) => findPayment(db, subject, isFinalized),

    /**
     * The payment while this request for its refund stands and the share isn't paid back. The subject is the payment with
     * the time of the request.
     */
    findRefundRequest({ userId, subject }: Subject) {
      const [paymentId = '', askedAt] = subject.split(' ');
      return findPayment(db, { userId, subject: paymentId }, isAskedAt(Number(askedAt)));
    },
  };
}

const isAskedAt = (
  askedAt: number,
) => sql`EXISTS (SELECT 1 FROM refunds WHERE payment_id = p.id AND asked_at = ${askedAt})
  AND ${paidBack(sql`p.id`)} < p.caller_lamports`;
const isFinalized = sql`EXISTS (SELECT 1 FROM payment_ledger WHERE payment_id = p.id AND kind = 'finalized')`;

function findOwnPayment(db: Database, { userId, subject }: Subject) {
  const query = sql`
    SELECT ${ownPaymentColumns.list}
    FROM payments p
    JOIN payment_intents i ON i.id = p.intent_id
    JOIN periods s ON s.payment_id = p.id
    JOIN users u ON u.id = p.caller_id
    WHERE p.id = ${subject} AND p.user_id = ${userId} AND ${isFinalized}`;
  return selectRow(db, ownPaymentColumns, query);
}

function findPayment(db: Database, { userId, subject }: Subject, state: SQL) {
  const query = sql`
    SELECT ${paymentColumns.list}
    FROM payments p
    JOIN periods s ON s.payment_id = p.id
    LEFT JOIN callers public ON public.caller_id = p.user_id
    LEFT JOIN users u ON u.id = public.caller_id
    WHERE p.id = ${subject} AND p.caller_id = ${userId} AND ${state}`;
  return selectRow(db, paymentColumns, query);
}
