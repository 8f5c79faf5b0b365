import { sql } from 'drizzle-orm';
import type { PaymentEventKind } from '#schema/contracts/operators.ts';
import { paymentIntents, payments } from '#schema/tables/payments.ts';
import { subscriptions } from '#schema/tables/subscriptions.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { columnsOf, computed, selection } from '../../../shared/rows.ts';

export const PERSON_PAYMENTS_SHOWN = 20;

const callerHandle = (callerId: string) =>
  computed<{ callerHandle: string }>({
    callerHandle: sql`(SELECT twitter_handle FROM users WHERE id = ${sql.raw(callerId)})`,
  });

const intentColumns = selection(
  columnsOf(paymentIntents, 'i', {
    id: 'id',
    reference: 'reference',
    lamports: 'total_lamports',
    createdAt: 'created_at',
    expiresAt: 'expires_at',
  }),
  callerHandle('i.caller_id'),
  computed<{ paid: string | null; signed: string | null }>({
    paid: sql`(SELECT signature FROM payments WHERE intent_id = i.id LIMIT 1)`,
    signed: sql`(
      SELECT signature
      FROM payment_broadcasts
      WHERE intent_id = i.id
      ORDER BY created_at DESC
      LIMIT 1)`,
  }),
);

const paymentColumns = selection(
  columnsOf(payments, 'p', {
    signature: 'signature',
    lamports: 'total_lamports',
    paidAt: 'paid_at',
  }),
  callerHandle('p.caller_id'),
  computed<{ state: PaymentEventKind }>({
    state: sql`(SELECT kind FROM payment_ledger WHERE payment_id = p.id ORDER BY seq DESC LIMIT 1)`,
  }),
);

const periodColumns = selection(
  columnsOf(subscriptions, 's', {
    id: 'id',
    startsAt: 'starts_at',
    endsAt: 'ends_at',
  }),
  callerHandle('s.caller_id'),
  computed<{ signature: string | null }>({
    signature: sql`(SELECT signature FROM payments WHERE id = s.payment_id)`,
  }),
);

export function createPersonPaymentsRepository(db: Database) {
  return {
    async find(personId: string) {
      const [intents = [], paid = [], periods = []] = await runBatch(db, [
        sql`
          SELECT ${intentColumns.list} FROM payment_intents i
          WHERE i.user_id = ${personId}
          ORDER BY i.created_at DESC
          LIMIT ${PERSON_PAYMENTS_SHOWN}`,
        sql`
          SELECT ${paymentColumns.list} FROM payments p
          WHERE p.user_id = ${personId}
          ORDER BY p.created_at DESC
          LIMIT ${PERSON_PAYMENTS_SHOWN}`,
        sql`
          SELECT ${periodColumns.list} FROM periods s
          WHERE s.subscriber_id = ${personId}
          ORDER BY s.starts_at DESC
          LIMIT ${PERSON_PAYMENTS_SHOWN}`,
      ]);
      return {
        intents: intents.map(intentColumns.read),
        payments: paid.map(paymentColumns.read),
        periods: periods.map(periodColumns.read),
      };
    },
  };
}
