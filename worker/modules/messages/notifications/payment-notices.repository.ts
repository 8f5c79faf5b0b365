import { and, isNull, sql } from 'drizzle-orm';
import { paymentNotices } from '#schema/tables/notifications.ts';
import { payments } from '#schema/tables/payments.ts';
import { subscriptions } from '#schema/tables/subscriptions.ts';
import { callerSummary } from '../../../shared/caller-summary.ts';
import type { Database } from '../../../shared/database.ts';
import {
  columnsOf,
  computed,
  optional,
  present,
  selection,
  selectRows,
  valuesOf,
} from '../../../shared/rows.ts';
import { isReachable } from './is-reachable.ts';

const noticeColumns = selection(
  columnsOf(paymentNotices, 'n', { paymentId: 'payment_id', at: 'at' }),
  columnsOf(payments, 'p', { callerId: 'caller_id' }),
  computed({ isReachable: isReachable(sql`p.caller_id`) }),
);

/** The names are null unless the subscriber is a caller, too. */
const paymentColumns = selection(
  columnsOf(payments, 'p', { callerLamports: 'caller_lamports' }),
  present(columnsOf(subscriptions, 's', { endsAt: 'ends_at' })),
  optional(callerSummary),
);

export type PaymentNoticesRepository = ReturnType<typeof createPaymentNoticesRepository>;

/** Notices of final payments, written with the ledger's entries. Times are unix ms. */
export function createPaymentNoticesRepository(db: Database) {
  return {
    /** Notices that the sender has not accepted yet, oldest first. `at` is when the payment became final. */
    async listNew(limit: number) {
      const query = sql`
        SELECT ${noticeColumns.list}
        FROM payment_notices n JOIN payments p ON p.id = n.payment_id
        WHERE n.queued_at IS NULL ORDER BY n.at, n.payment_id LIMIT ${limit}`;
      return selectRows(db, noticeColumns, query);
    },

    async markAccepted({ paymentIds, now }: { paymentIds: readonly string[]; now: number }): Promise<void> {
      const isListed = sql`${paymentNotices.paymentId} IN ${valuesOf(paymentIds)}`;
      await db
        .update(paymentNotices)
        .set({ queuedAt: now })
        .where(and(isNull(paymentNotices.queuedAt), isListed));
    },

    /** A final payment to this caller, with the end of its subscription. */
    async find({ paymentId, callerId }: { paymentId: string; callerId: string }) {
      const query = sql`
        SELECT ${paymentColumns.list}
        FROM payment_notices n
        JOIN payments p ON p.id = n.payment_id
        JOIN subscriptions s ON s.payment_id = p.id
        LEFT JOIN callers public ON public.caller_id = p.user_id
        LEFT JOIN users u ON u.id = public.caller_id
        WHERE n.payment_id = ${paymentId} AND p.caller_id = ${callerId}`;
      const [row] = await selectRows(db, paymentColumns, query);
      return row ?? null;
    },
  };
}
