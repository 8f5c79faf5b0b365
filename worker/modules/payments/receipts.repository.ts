import { sql, type SQL } from 'drizzle-orm';
import { callerSummaryColumns, type CallerSummaryRow } from '../../shared/caller-summary.ts';
import type { Database } from '../../shared/database.ts';
import { keysetPage, type KeysetCursor } from '../../shared/keyset.ts';

/** A payment with what became of it; money in lamports, times unix ms. */
export interface PaymentColumns {
  readonly id: string;
  readonly user_id: string;
  readonly caller_id: string;
  readonly signature: string;
  readonly payer_address: string;
  readonly caller_address: string;
  readonly platform_address: string;
  readonly total_lamports: number;
  readonly caller_lamports: number;
  readonly platform_lamports: number;
  readonly slot: number;
  readonly paid_at: number;
  readonly created_at: number;
  readonly starts_at: number | null;
  readonly ends_at: number | null;
  /** The line of the ledger that says how it stands. */
  readonly standing: 'granted' | 'settled' | 'revoked';
}

/** With the caller's public face. */
export type ReceiptRow = PaymentColumns & CallerSummaryRow;

/** With the subscriber's public face, where they have one: nothing but nulls of who is no caller. */
export type EarningRow = PaymentColumns & (CallerSummaryRow | Readonly<Record<keyof CallerSummaryRow, null>>);

/** Which part of somebody's payments, in the order in which they were recorded. */
export interface PaymentsQuestion {
  readonly userId: string;
  readonly order: 'asc' | 'desc';
  readonly cursor: KeysetCursor | null;
  readonly limit: number;
}

/** What `moved` changes is the period alone. The block is the last one in which the transaction was seen. */
const paymentColumns = sql`
  p.id, p.user_id, p.caller_id, p.signature, p.payer_address, p.total_lamports, p.caller_lamports, p.platform_lamports, p.paid_at, p.created_at,
  i.caller_address, i.platform_address, s.starts_at, s.ends_at,
  (SELECT slot FROM payment_ledger WHERE payment_id = p.id AND slot IS NOT NULL ORDER BY seq DESC LIMIT 1) AS slot,
  (SELECT kind FROM payment_ledger WHERE payment_id = p.id AND kind <> 'moved' ORDER BY seq DESC LIMIT 1) AS standing`;

const fromPayments = sql`
  FROM payments p
  JOIN payment_intents i ON i.id = p.intent_id
  LEFT JOIN subscriptions s ON s.payment_id = p.id`;

const selectReceipts = sql`SELECT ${paymentColumns}, ${callerSummaryColumns} ${fromPayments} JOIN users u ON u.id = p.caller_id`;
const selectEarnings = sql`
  SELECT ${paymentColumns}, ${callerSummaryColumns} ${fromPayments}
  LEFT JOIN callers public ON public.caller_id = p.user_id
  LEFT JOIN users u ON u.id = public.caller_id`;

export type ReceiptsRepository = ReturnType<typeof createReceiptsRepository>;

/** Payments as people read them. */
export function createReceiptsRepository(db: Database) {
  const selectPage = <Row>(select: SQL, { order, cursor, limit }: PaymentsQuestion): Promise<Row[]> =>
    db.all<Row>(keysetPage({ select, value: sql`p.created_at`, id: sql`p.id`, order, cursor, limit }));

  return {
    /** What somebody paid. */
    listPaid: (question: PaymentsQuestion) =>
      selectPage<ReceiptRow>(sql`${selectReceipts} WHERE p.user_id = ${question.userId}`, question),

    /** What a caller was paid. */
    listEarned: (question: PaymentsQuestion) =>
      selectPage<EarningRow>(sql`${selectEarnings} WHERE p.caller_id = ${question.userId}`, question),

    /** A payment that somebody made or was paid by. */
    async findOf({ userId, signature }: { userId: string; signature: string }): Promise<ReceiptRow | null> {
      const [row] = await db.all<ReceiptRow>(
        sql`${selectReceipts} WHERE p.signature = ${signature} AND ${userId} IN (p.user_id, p.caller_id)`,
      );
      return row ?? null;
    },
  };
}
