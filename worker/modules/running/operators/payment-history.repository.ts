import { sql } from 'drizzle-orm';
import { paymentNotices } from '#schema/tables/notifications.ts';
import { paymentLedger, paymentOrphans } from '#schema/tables/payment-ledger.ts';
import { paymentBroadcasts, paymentIntents, payments } from '#schema/tables/payments.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { columnsOf, computed, selection, selectRows, type SelectedRow } from '../../../shared/rows.ts';

/** Maximum of each kind, such as signed transactions. Real payments have a few. */
const MAX_ROWS = 100;

const intentColumns = selection(
  columnsOf(paymentIntents, 'i', {
    id: 'id',
    reference: 'reference',
    userId: 'user_id',
    callerId: 'caller_id',
    callerAddress: 'caller_address',
    callerLamports: 'caller_lamports',
    platformAddress: 'platform_address',
    platformLamports: 'platform_lamports',
    createdAt: 'created_at',
    expiresAt: 'expires_at',
    nextCheckAt: 'next_check_at',
  }),
  computed<{ userHandle: string; callerHandle: string }>({
    userHandle: sql`(SELECT twitter_handle FROM users WHERE id = i.user_id)`,
    callerHandle: sql`(SELECT twitter_handle FROM users WHERE id = i.caller_id)`,
  }),
);

const broadcastColumns = columnsOf(paymentBroadcasts, 'b', {
  signature: 'signature',
  createdAt: 'created_at',
  tries: 'tries',
  deadAt: 'dead_at',
  landedAt: 'landed_at',
});
const signature = columnsOf(payments, 'p', { signature: 'signature' });
const paymentColumns = selection(
  signature,
  columnsOf(payments, 'p', { payerAddress: 'payer_address', slot: 'slot', createdAt: 'created_at' }),
);
const ledgerColumns = selection(
  signature,
  columnsOf(paymentLedger, 'l', {
    kind: 'kind',
    slot: 'slot',
    startsAt: 'starts_at',
    endsAt: 'ends_at',
    at: 'at',
  }),
);
const noticeColumns = selection(
  signature,
  columnsOf(paymentNotices, 'n', { at: 'at', queuedAt: 'queued_at' }),
);
const orphanColumns = columnsOf(paymentOrphans, 'o', {
  signature: 'signature',
  reason: 'reason',
  payerAddress: 'payer_address',
  callerLamports: 'caller_lamports',
  platformLamports: 'platform_lamports',
  slot: 'slot',
  foundAt: 'found_at',
  resolvedAt: 'resolved_at',
  note: 'note',
});

export interface PaymentHistoryRows {
  readonly intent: SelectedRow<typeof intentColumns> | null;
  readonly broadcasts: readonly SelectedRow<typeof broadcastColumns>[];
  readonly payments: readonly SelectedRow<typeof paymentColumns>[];
  readonly ledger: readonly SelectedRow<typeof ledgerColumns>[];
  readonly notices: readonly SelectedRow<typeof noticeColumns>[];
  readonly orphans: readonly SelectedRow<typeof orphanColumns>[];
}

export type PaymentHistoryRepository = ReturnType<typeof createPaymentHistoryRepository>;

/** All rows about one payment. Times are unix ms. */
export function createPaymentHistoryRepository(db: Database) {
  const findIntent = async (search: string) => {
    const [intent = null] = await selectRows(
      db,
      intentColumns,
      sql`
        SELECT ${intentColumns.list}
        FROM (
          SELECT id FROM payment_intents WHERE id = ${search}
          UNION SELECT id FROM payment_intents WHERE reference = ${search}
          UNION SELECT intent_id FROM payment_broadcasts WHERE signature = ${search}
          UNION SELECT intent_id FROM payments WHERE signature = ${search} OR id = ${search}
          UNION SELECT intent_id FROM payment_orphans WHERE signature = ${search}
        ) found
        JOIN payment_intents i ON i.id = found.id
        LIMIT 1`,
    );
    return intent;
  };

  return {
    /** Finds by the signature, the reference, or the id of the intent or payment. Null if there is nothing. */
    async find(search: string): Promise<PaymentHistoryRows | null> {
      const intent = await findIntent(search);
      const ofIntent = sql`FROM payments p WHERE p.intent_id = ${intent?.id ?? ''}`;
      const [broadcasts = [], recorded = [], ledger = [], notices = [], orphans = []] = await runBatch(db, [
        sql`
          SELECT ${broadcastColumns.list} FROM payment_broadcasts b
          WHERE b.intent_id = ${intent?.id ?? ''}
          ORDER BY b.created_at
          LIMIT ${MAX_ROWS}`,
        sql`SELECT ${paymentColumns.list} ${ofIntent} LIMIT ${MAX_ROWS}`,
        sql`
          SELECT ${ledgerColumns.list} FROM payment_ledger l
          JOIN payments p ON p.id = l.payment_id
          WHERE l.payment_id IN (SELECT p.id ${ofIntent})
          ORDER BY l.seq
          LIMIT ${MAX_ROWS}`,
        sql`
          SELECT ${noticeColumns.list} FROM payment_notices n
          JOIN payments p ON p.id = n.payment_id
          WHERE n.payment_id IN (SELECT p.id ${ofIntent})
          LIMIT ${MAX_ROWS}`,
        sql`
          SELECT ${orphanColumns.list}
          FROM (
            SELECT signature FROM payment_orphans WHERE signature = ${search}
            UNION
            SELECT signature FROM payment_orphans
            WHERE user_id = ${intent?.userId ?? ''} AND intent_id = ${intent?.id ?? ''}
          ) found
          JOIN payment_orphans o ON o.signature = found.signature
          ORDER BY o.found_at
          LIMIT ${MAX_ROWS}`,
      ]);
      if (intent === null && orphans.length === 0) return null;
      return {
        intent,
        broadcasts: broadcasts.map(broadcastColumns.read),
        payments: recorded.map(paymentColumns.read),
        ledger: ledger.map(ledgerColumns.read),
        notices: notices.map(noticeColumns.read),
        orphans: orphans.map(orphanColumns.read),
      };
    },
  };
}
