import { sql } from 'drizzle-orm';
import { callerSummaryColumns, type CallerSummaryRow } from '../../shared/caller-summary.ts';
import type { Database } from '../../shared/database.ts';

/** A final payment that the sender has not taken over yet. */
export interface NewPayment {
  readonly paymentId: string;
  readonly callerId: string;
  /** When it became final. */
  readonly at: number;
  /** 1 if the caller has connected a chat. */
  readonly hasChat: 0 | 1;
}

/** A final payment with its period, and the subscriber's name: null unless the subscriber is a caller too. */
export type FinalPaymentRow = { readonly caller_lamports: number; readonly ends_at: number } & (
  | CallerSummaryRow
  | Readonly<Record<keyof CallerSummaryRow, null>>
);

export type PaymentNoticesRepository = ReturnType<typeof createPaymentNoticesRepository>;

/** Notices of final payments, written by a trigger. Times are unix ms, money lamports. */
export function createPaymentNoticesRepository(db: Database) {
  return {
    async listNew(limit: number): Promise<NewPayment[]> {
      return db.all<NewPayment>(sql`
        SELECT n.payment_id AS paymentId, p.caller_id AS callerId, n.at,
          EXISTS (SELECT 1 FROM telegram_links WHERE user_id = p.caller_id AND chat_id IS NOT NULL) AS hasChat
        FROM payment_notices n JOIN payments p ON p.id = n.payment_id
        WHERE n.queued_at IS NULL ORDER BY n.at, n.payment_id LIMIT ${limit}`);
    },

    async markTaken({ paymentIds, now }: { paymentIds: readonly string[]; now: number }): Promise<void> {
      await db.run(sql`
        UPDATE payment_notices SET queued_at = ${now}
        WHERE queued_at IS NULL AND payment_id IN (SELECT value FROM json_each(${JSON.stringify(paymentIds)}))`);
    },

    /** Null if the payment isn't final or went to another caller. */
    async find(question: { paymentId: string; callerId: string }): Promise<FinalPaymentRow | null> {
      const [row] = await db.all<FinalPaymentRow>(sql`
        SELECT p.caller_lamports, s.ends_at, ${callerSummaryColumns}
        FROM payment_notices n
        JOIN payments p ON p.id = n.payment_id
        JOIN subscriptions s ON s.payment_id = p.id
        LEFT JOIN callers public ON public.caller_id = p.user_id
        LEFT JOIN users u ON u.id = public.caller_id
        WHERE n.payment_id = ${question.paymentId} AND p.caller_id = ${question.callerId}`);
      return row ?? null;
    },
  };
}
