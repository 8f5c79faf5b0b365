import { sql, type SQL } from 'drizzle-orm';
import { ENDS_SOON_MS, MAX_REFUNDS_SHOWN, SUBSCRIBER_NAMED_MS } from '#schema/constants/money.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import type { SubscriberFilter } from '#schema/contracts/subscriptions.ts';
import { refunds } from '#schema/tables/payment-ledger.ts';
import { paymentIntents, payments } from '#schema/tables/payments.ts';
import { subscriptions } from '#schema/tables/subscriptions.ts';
import type { JsonText } from '#schema/rules/typed-json.ts';
import type { Absence } from '#schema/rules/money/owed.ts';
import { callerSummary } from '../callers/caller-summary.ts';
import type { Database } from '../../../shared/database.ts';
import { keysetPage, type KeysetCursor } from '../../../shared/keyset.ts';
import {
  columnsOf,
  computed,
  optional,
  selection,
  selectRow,
  selectRows,
  type SelectedRow,
} from '../../../shared/rows.ts';
import { paidBack } from './paid-periods.repository.ts';

interface StoredRefund {
  readonly lamports: string;
  readonly signature: string;
  readonly paidAt: number;
}

const paymentSelection = selection(
  columnsOf(payments, 'p', [
    'id',
    'user_id',
    'caller_id',
    'signature',
    'payer_address',
    'total_lamports',
    'caller_lamports',
    'platform_lamports',
    'paid_at',
    'created_at',
  ]),
  columnsOf(paymentIntents, 'i', ['caller_address', 'platform_address', 'days']),
  optional(columnsOf(subscriptions, 's', ['starts_at', 'ends_at'])),
  optional(columnsOf(refunds, 'r', ['asked_at', 'opened_at'])),
  computed<{
    slot: number;
    ledger_state: 'granted' | 'finalized' | 'revoked' | 'refunded';
    paid_back: number;
    refunds: JsonText<readonly StoredRefund[]>;
  }>({
    // The newest block in which the transaction was seen. A fork may have moved it to another block.
    slot: sql`(
      SELECT slot FROM payment_ledger
      WHERE payment_id = p.id AND slot IS NOT NULL
      ORDER BY seq DESC
      LIMIT 1)`,
    refunds: sql`(
      SELECT json_group_array(
        json_object('lamports', CAST(lamports AS TEXT), 'signature', signature, 'paidAt', paid_at) ORDER BY at)
      FROM (
        SELECT * FROM refund_transfers WHERE payment_id = p.id ORDER BY at DESC LIMIT ${MAX_REFUNDS_SHOWN}))`,
    paid_back: paidBack(sql`p.id`),
    ledger_state: sql`(
      SELECT kind FROM payment_ledger
      WHERE payment_id = p.id AND kind <> 'moved'
      ORDER BY seq DESC
      LIMIT 1)`,
  }),
);
/** The caller's absences, with one from now on or from the day of a requested deletion on. */
const absencesOf = (callerId: SQL) =>
  computed<{ absences: JsonText<readonly Absence[]> }>({
    absences: sql`(
      SELECT iif(away IS NULL, absences, json_insert(absences, '$[#]', json_object('from', away, 'until', NULL)))
      FROM (
        SELECT c.absences, COALESCE(c.deletes_at, gone.left_at) AS away
        FROM callers c JOIN users gone ON gone.id = c.caller_id
        WHERE c.caller_id = ${callerId}))`,
  });
const receiptSelection = selection(paymentSelection, absencesOf(sql`p.caller_id`), callerSummary);
/** SQLite reads the caller's absences once for all payments, because they don't depend on the payment. */
const earningSelection = (callerId: string) =>
  selection(paymentSelection, absencesOf(sql`${callerId}`), optional(callerSummary));

export type PaymentRow = Omit<ReceiptRow, keyof SelectedRow<typeof callerSummary>>;

export type ReceiptRow = SelectedRow<typeof receiptSelection>;

/**
 * A payment with its subscriber. The name is null unless the subscriber is a public caller, or the period of the payment
 * names its subscriber to the caller.
 */
export type EarningRow = SelectedRow<ReturnType<typeof earningSelection>>;

/** SQL condition: a paid period still names its subscriber `u`, who hasn't deleted the account since. */
const namesSubscriber = sql`u.left_at IS NULL`;

const ofPair = sql`
  FROM subscriptions b
  WHERE b.subscriber_id = s.subscriber_id AND b.caller_id = s.caller_id AND b.payment_id IS NOT NULL`;

const subscriberSelection = selection(
  optional(callerSummary),
  computed<
    Record<'id' | 'subscriber_id', string> & Record<'known_end' | 'ends_at' | 'since' | 'paid', number>
  >({
    id: 's.id',
    subscriber_id: 's.subscriber_id',
    known_end: 's.known_end',
    ends_at: 's.ends_at',
    // Without the +, SQLite would read the caller's periods in order until it finds one of the pair.
    since: sql`(SELECT MIN(+b.created_at) ${ofPair})`,
    paid: sql`(
      SELECT COUNT(*) ${ofPair}
        AND NOT EXISTS (SELECT 1 FROM payment_ledger WHERE payment_id = b.payment_id AND kind = 'refunded'))`,
  }),
);

export type SubscriberRow = SelectedRow<typeof subscriberSelection>;

/** The times after and until which the subscriptions end. */
const endsOf = (now: number): Record<SubscriberFilter, readonly [after: number, until: number]> => ({
  running: [now, Number.MAX_SAFE_INTEGER],
  ending: [now, now + ENDS_SOON_MS],
  ended: [now - SUBSCRIBER_NAMED_MS, now],
});

interface AtTime {
  readonly now: number;
}

export interface PaymentsQuery {
  readonly userId: string;
  readonly order: 'asc' | 'desc';
  readonly cursor: KeysetCursor | null;
  readonly limit: number;
}

const fromPayments = sql`
  FROM payments p
  JOIN payment_intents i ON i.id = p.intent_id
  LEFT JOIN periods s ON s.payment_id = p.id
  LEFT JOIN refunds r ON r.payment_id = p.id`;

const selectReceipts = sql`
  SELECT ${receiptSelection.list}
  ${fromPayments}
  JOIN users u ON u.id = p.caller_id`;

export type ReceiptsRepository = ReturnType<typeof createReceiptsRepository>;

export function createReceiptsRepository(db: Database) {
  const pageOf = (select: SQL, { order, cursor, limit }: PaymentsQuery) =>
    keysetPage({ select, value: 'p.created_at', id: 'p.id', order, cursor, limit });

  return {
    listPaid: (query: PaymentsQuery): Promise<ReceiptRow[]> =>
      selectRows(
        db,
        receiptSelection,
        pageOf(sql`${selectReceipts} WHERE p.user_id = ${query.userId}`, query),
      ),

    listEarned(query: PaymentsQuery & AtTime): Promise<EarningRow[]> {
      const earnings = earningSelection(query.userId);
      const select = sql`
        SELECT ${earnings.list}
        ${fromPayments}
        LEFT JOIN callers public ON public.caller_id = p.user_id AND public.is_hidden = 0
        LEFT JOIN users u ON u.id = p.user_id
          AND (public.caller_id IS NOT NULL OR (${namesSubscriber} AND s.ends_at > ${query.now - SUBSCRIBER_NAMED_MS}))
        WHERE p.caller_id = ${query.userId}`;
      return selectRows(db, earnings, pageOf(select, query));
    },

    /**
     * The people who pay the caller, by the end of their last paid period. The index has the ends that the cron last saw,
     * which silent days may have moved since.
     */
    async listSubscribers({
      userId,
      show,
      now,
      ...page
    }: Omit<PaymentsQuery, 'order'> & AtTime & { readonly show: SubscriberFilter }): Promise<
      SubscriberRow[]
    > {
      const [after, until] = endsOf(now)[show];
      const order = show === 'ended' ? 'desc' : 'asc';
      const known = { from: after - DAY_MS + 1, to: until };
      // SQLite seeks to only one of two bounds. If that weren't the cursor, it would read all earlier pages again.
      if (page.cursor) known[order === 'asc' ? 'from' : 'to'] = page.cursor.value;
      const select = sql`
        SELECT ${subscriberSelection.list}
        FROM periods s
        LEFT JOIN users u ON u.id = s.subscriber_id AND ${namesSubscriber}
        WHERE s.caller_id = ${userId} AND s.payment_id IS NOT NULL
          AND s.known_end BETWEEN ${known.from} AND ${known.to}
          AND s.ends_at > ${after} AND s.ends_at <= ${until}
          AND NOT EXISTS (SELECT 1 ${ofPair} AND b.ends_at > s.written_end)`;
      const sorted = { value: 's.known_end', id: 's.id', order } as const;
      return selectRows(db, subscriberSelection, keysetPage({ select, ...sorted, ...page }));
    },

    async findOf({ userId, signature }: { userId: string; signature: string }): Promise<ReceiptRow | null> {
      return selectRow(
        db,
        receiptSelection,
        sql`${selectReceipts} WHERE p.signature = ${signature} AND ${userId} IN (p.user_id, p.caller_id)`,
      );
    },
  };
}
