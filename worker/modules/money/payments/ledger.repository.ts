import { eq, sql } from 'drizzle-orm';
import { paymentLedger, paymentOrphans } from '#schema/tables/payment-ledger.ts';
import { payments } from '#schema/tables/payments.ts';
import { subscriptions } from '#schema/tables/subscriptions.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import {
  columnsOf,
  computed,
  selection,
  selectRows,
  valuesOf,
  type SelectedRow,
} from '../../../shared/rows.ts';
import {
  grantPeriod,
  revokePeriod,
  settlePeriods,
  type Grant,
  type Revocation,
} from './ledger-statements.ts';
import type { PageAfter } from './page-after.ts';

export type PaymentRow = typeof payments.$inferSelect;
export type OrphanRow = typeof paymentOrphans.$inferInsert;

const unsettledSelection = selection(
  columnsOf(subscriptions, 's', { grantedAt: 'created_at' }),
  columnsOf(payments, 'p', { paymentId: 'id', signature: 'signature', intentId: 'intent_id' }),
  columnsOf(paymentLedger, 'l', { grantId: 'id' }),
  // The database requires a slot for every grant, so this isn't null.
  computed<{ slot: number }>({ slot: sql`l.slot` }),
);

/** A payment that isn't finalized, so a fork can still remove it. */
export type UnsettledPayment = SelectedRow<typeof unsettledSelection>;

export type LedgerRepository = ReturnType<typeof createLedgerRepository>;

/** Times are unix ms. */
export function createLedgerRepository(db: Database) {
  const insertOrphans = (orphans: readonly OrphanRow[]) =>
    orphans.map((orphan) =>
      db
        .insert(paymentOrphans)
        .values(orphan)
        .onConflictDoNothing()
        .returning({ signature: paymentOrphans.signature }),
    );

  return {
    ...createLedgerReads(db),

    /** Does nothing if the signature already has a period or belongs to another intent. */
    async grant({ payment, ...grant }: Grant & { payment: typeof payments.$inferInsert }): Promise<void> {
      await runBatch(db, [
        db.insert(payments).values(payment).onConflictDoNothing({ target: payments.signature }),
        ...grantPeriod({ payment, ...grant }),
      ]);
    },

    async settle(finalized: readonly { paymentId: string; slot: number }[], now: number): Promise<void> {
      if (finalized.length > 0) await runBatch(db, settlePeriods(finalized, now));
    },

    /** Returns false and changes nothing if the period was settled or granted again since. */
    async revoke(revocation: Revocation): Promise<boolean> {
      const [revoked = []] = await runBatch(db, revokePeriod(revocation));
      return revoked.length === 1;
    },

    /** Stores finalized transactions that bought nothing. @returns those signatures that are new */
    async insertOrphans(orphans: readonly OrphanRow[]): Promise<string[]> {
      if (orphans.length === 0) return [];
      const inserted = await runBatch(db, insertOrphans(orphans));
      return inserted.flat().map(({ signature }) => String(signature));
    },

    insertOrphanStatements: insertOrphans,
  };
}

function createLedgerReads(db: Database) {
  return {
    async findPayment(signature: string): Promise<(PaymentRow & { hasPeriod: boolean }) | null> {
      const [row] = await db
        .select({ payment: payments, periodId: subscriptions.id })
        .from(payments)
        .leftJoin(subscriptions, eq(subscriptions.paymentId, payments.id))
        .where(eq(payments.signature, signature));
      return row ? { ...row.payment, hasPeriod: row.periodId !== null } : null;
    },

    async listGranted(signatures: readonly string[]): Promise<ReadonlySet<string>> {
      const signature = columnsOf(payments, 'p', ['signature']);
      const rows = await selectRows(
        db,
        signature,
        sql`
          SELECT ${signature.list} FROM payments p
          JOIN subscriptions s ON s.payment_id = p.id
          WHERE p.signature IN ${valuesOf(signatures)}`,
      );
      return new Set(rows.map((row) => row.signature));
    },

    async isPaid(intentId: string): Promise<boolean> {
      const rows = await db.all(sql`
        SELECT 1 FROM payments p
        JOIN subscriptions s ON s.payment_id = p.id
        WHERE p.intent_id = ${intentId}
        LIMIT 1`);
      return rows.length === 1;
    },

    /** Granted payments that aren't finalized, oldest grant first. */
    listUnsettled: ({ after, limit }: PageAfter<UnsettledPayment>): Promise<UnsettledPayment[]> =>
      selectRows(
        db,
        unsettledSelection,
        sql`
          SELECT ${unsettledSelection.list} FROM subscriptions s
          JOIN payments p ON p.id = s.payment_id
          JOIN payment_ledger l ON l.seq = (
            SELECT MAX(seq) FROM payment_ledger WHERE payment_id = s.payment_id AND kind = 'granted')
          WHERE s.payment_id IS NOT NULL
            AND s.settled_at IS NULL
            AND (s.created_at, s.payment_id) > (${after?.grantedAt ?? 0}, ${after?.paymentId ?? ''})
          ORDER BY s.created_at, s.payment_id
          LIMIT ${limit}`,
      ),
  };
}
