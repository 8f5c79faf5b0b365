import { desc, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { PaymentEventKind } from '#schema/rules/money/payment-events.ts';
import { paymentOrphans } from '#schema/tables/payment-ledger.ts';
import { paymentIntents, unreadTransactions } from '#schema/tables/payments.ts';
import { users } from '#schema/tables/users.ts';
import type { Database } from '../../../shared/database.ts';
import { valuesOf } from '../../../shared/rows.ts';

const MAX_INTENTS = 20;
/** Real payments have a few orphans and events. */
const MAX_ORPHANS = 100;
const MAX_EVENTS = 200;

export interface PaymentEventRow {
  readonly intentId: string;
  readonly kind: PaymentEventKind | 'access';
  readonly at: number;
  readonly signature: string | null;
  readonly slot: number | null;
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  readonly lamports: number | null;
  readonly note: string | null;
}

export type PaymentRows = Awaited<ReturnType<ReturnType<typeof createPaymentHistoryRepository>['find']>>;

const subscriber = alias(users, 'subscriber');
const caller = alias(users, 'caller');

export function createPaymentHistoryRepository(db: Database) {
  return {
    /**
     * Finds payments by signature, reference, or the id of the intent or payment, and the newest ones that a person (by id)
     * made or received, or a wallet made. Newest first. The event `access` is the paid period as it is now.
     */
    async find(search: string) {
      const intents = await db
        .select({
          ...getTableColumns(paymentIntents),
          userHandle: subscriber.twitterHandle,
          callerHandle: caller.twitterHandle,
        })
        .from(paymentIntents)
        .innerJoin(subscriber, eq(subscriber.id, paymentIntents.userId))
        .innerJoin(caller, eq(caller.id, paymentIntents.callerId))
        .where(inArray(paymentIntents.id, idsOf(search)))
        .orderBy(desc(paymentIntents.createdAt))
        .limit(MAX_INTENTS);
      const ids = intents.map(({ id }) => id);
      const [events, orphans] = await Promise.all([
        db.all<PaymentEventRow>(eventsOf(ids)),
        db
          .select()
          .from(paymentOrphans)
          .where(inArray(paymentOrphans.signature, orphansOf(search, ids)))
          .orderBy(desc(paymentOrphans.foundAt))
          .limit(MAX_ORPHANS),
      ]);
      return { intents, events, orphans };
    },

    /** Whether the transaction was seen at the platform's wallet, but couldn't be read yet. */
    async isUnread(signature: string): Promise<boolean> {
      return (await db.$count(unreadTransactions, sql`instr(entries, ${signature}) > 0`)) > 0;
    },
  };
}

// D1 allows five parts of a UNION.
const idsOf = (search: string) => sql`(
  SELECT id FROM payment_intents WHERE id = ${search} OR reference = ${search}
  UNION SELECT intent_id FROM payment_broadcasts WHERE signature = ${search}
  UNION SELECT intent_id FROM payments WHERE signature = ${search} OR id = ${search}
    OR id IN (
      SELECT payment_id FROM refunds WHERE reference = ${search}
      UNION SELECT payment_id FROM refund_transfers WHERE signature = ${search})
    OR id IN (SELECT id FROM payments WHERE payer_address = ${search} ORDER BY created_at DESC LIMIT ${MAX_INTENTS})
    OR id IN (SELECT id FROM payments WHERE caller_id = ${search} ORDER BY created_at DESC LIMIT ${MAX_INTENTS})
  UNION SELECT intent_id FROM payment_orphans WHERE signature = ${search}
  UNION SELECT id FROM (
    SELECT id FROM payment_intents WHERE user_id = ${search} ORDER BY created_at DESC LIMIT ${MAX_INTENTS}))`;

const orphansOf = (search: string, intentIds: readonly string[]) => sql`(
  SELECT signature FROM payment_orphans WHERE signature = ${search}
  UNION SELECT signature FROM payment_orphans WHERE user_id = ${search}
  UNION SELECT signature FROM payment_orphans WHERE payer_address = ${search}
  UNION SELECT signature FROM payment_orphans WHERE intent_id IN ${valuesOf(intentIds)})`;

const eventsOf = (intentIds: readonly string[]) => sql`
  SELECT b.intent_id AS intentId, e.key AS kind, e.value AS at, b.signature, NULL AS slot, NULL AS startsAt,
    NULL AS endsAt, NULL AS lamports, iif(e.key = 'signed', 'Broadcast attempts: ' || b.tries, NULL) AS note
  FROM payment_broadcasts b, json_each(json_object(
    'signed', b.created_at, 'unreadable', b.unreadable_at, 'landed', b.landed_at, 'dead', b.dead_at)) e
  WHERE b.intent_id IN ${valuesOf(intentIds)} AND e.value IS NOT NULL
  UNION ALL
  SELECT intent_id, 'recorded', created_at, signature, slot, NULL, NULL, NULL, 'Paid from ' || payer_address
  FROM payments
  WHERE intent_id IN ${valuesOf(intentIds)}
  UNION ALL
  SELECT p.intent_id, l.kind, l.at, p.signature, l.slot, l.starts_at, l.ends_at, NULL, NULL
  FROM payments p JOIN payment_ledger l ON l.payment_id = p.id
  WHERE p.intent_id IN ${valuesOf(intentIds)}
  UNION ALL
  SELECT p.intent_id, 'paid_back', t.at, t.signature, t.slot, NULL, NULL, t.lamports, NULL
  FROM payments p JOIN refund_transfers t ON t.payment_id = p.id
  WHERE p.intent_id IN ${valuesOf(intentIds)}
  UNION ALL
  SELECT p.intent_id, 'access', s.starts_at, NULL, NULL, s.starts_at, s.ends_at, NULL, NULL
  FROM payments p JOIN periods s ON s.payment_id = p.id
  WHERE p.intent_id IN ${valuesOf(intentIds)}
  ORDER BY at DESC
  LIMIT ${MAX_EVENTS}`;
