import { eq, sql } from 'drizzle-orm';
import { SUBSCRIPTION_PERIOD_MS } from '#schema/constants.ts';
import { paymentOrphans } from '#schema/tables/payment-ledger.ts';
import { payments } from '#schema/tables/payments.ts';
import { runBatch, type Database } from '../../shared/database.ts';

export type PaymentRow = typeof payments.$inferSelect;
export type OrphanRow = typeof paymentOrphans.$inferInsert;

/** A payment with a period that a fork can still take away. `grantId` names the line of the ledger that gave it. */
export interface UnsettledPayment {
  readonly paymentId: string;
  readonly signature: string;
  readonly grantId: string;
  readonly slot: number;
  readonly grantedAt: number;
}

const newId = sql`lower(hex(randomblob(16)))`;

export type LedgerRepository = ReturnType<typeof createLedgerRepository>;

/** Payments, what became of them, and the periods that follow from it. Times are unix ms. */
export function createLedgerRepository(db: Database) {
  return {
    async findPayment(signature: string): Promise<(PaymentRow & { hasPeriod: boolean }) | null> {
      const [row] = await db
        .select({
          payment: payments,
          hasPeriod: sql<number>`EXISTS (SELECT 1 FROM subscriptions WHERE payment_id = payments.id)`,
        })
        .from(payments)
        .where(eq(payments.signature, signature));
      return row ? { ...row.payment, hasPeriod: row.hasPeriod === 1 } : null;
    },

    /** Of these signatures, those whose payment has its period. */
    async listGranted(signatures: readonly string[]): Promise<ReadonlySet<string>> {
      const rows = await db.all<{ signature: string }>(sql`
        SELECT p.signature FROM payments p JOIN subscriptions s ON s.payment_id = p.id
        WHERE p.signature IN (SELECT value FROM json_each(${JSON.stringify(signatures)}))`);
      return new Set(rows.map(({ signature }) => signature));
    },

    /** Whether the intent has bought its period. */
    async isPaid(intentId: string): Promise<boolean> {
      const rows = await db.all(
        sql`SELECT 1 FROM payments p JOIN subscriptions s ON s.payment_id = p.id WHERE p.intent_id = ${intentId} LIMIT 1`,
      );
      return rows.length === 1;
    },

    /**
     * Writes a payment and the 30 days it buys, in one batch: from the later of now and the end of what
     * the pair has, with a free grant that is open moved behind it. Does nothing where the signature has
     * its period, or belongs to another intent; one that was revoked gets a new one.
     */
    async grant({
      payment,
      ids,
      now,
    }: {
      payment: typeof payments.$inferInsert;
      ids: { grant: string; subscription: string };
      now: number;
    }): Promise<void> {
      const { userId, callerId, callerLamports, signature } = payment;
      const pair = sql`subscriber_id = ${userId} AND caller_id = ${callerId}`;
      const isGranted = sql`EXISTS (SELECT 1 FROM payment_ledger WHERE id = ${ids.grant})`;
      await runBatch(db, [
        db.insert(payments).values(payment).onConflictDoNothing({ target: payments.signature }),
        sql`
          INSERT INTO payment_ledger (id, payment_id, kind, slot, starts_at, ends_at, at)
          SELECT ${ids.grant}, id, 'granted', ${payment.slot}, start, start + ${SUBSCRIPTION_PERIOD_MS}, ${now}
          FROM (
            SELECT id, MAX(${now}, COALESCE((SELECT MAX(ends_at) FROM subscriptions WHERE ${pair}), 0)) AS start FROM payments
            WHERE signature = ${signature} AND intent_id = ${payment.intentId} AND NOT EXISTS (SELECT 1 FROM subscriptions WHERE payment_id = payments.id))`,
        sql`
          UPDATE callers SET earned_lamports = earned_lamports + ${Number(callerLamports)},
            subscriber_count = subscriber_count + NOT EXISTS (SELECT 1 FROM subscriptions WHERE ${pair} AND status = 'active')
          WHERE caller_id = ${callerId} AND ${isGranted}`,
        sql`UPDATE subscriptions SET starts_at = (SELECT ends_at FROM payment_ledger WHERE id = ${ids.grant}) WHERE ${pair} AND ends_at IS NULL AND ${isGranted}`,
        sql`
          INSERT INTO subscriptions (id, subscriber_id, caller_id, payment_id, starts_at, ends_at, status, created_at)
          SELECT ${ids.subscription}, ${userId}, ${callerId}, payment_id, starts_at, ends_at, 'active', ${now}
          FROM payment_ledger WHERE id = ${ids.grant}`,
      ]);
    },

    /** Payments that are not finalized, oldest grant first, after a place in that order. */
    async listUnsettled({
      after,
      limit,
    }: {
      after: Pick<UnsettledPayment, 'grantedAt' | 'paymentId'> | null;
      limit: number;
    }): Promise<UnsettledPayment[]> {
      return db.all<UnsettledPayment>(sql`
        SELECT s.payment_id AS paymentId, p.signature, l.id AS grantId, l.slot, s.created_at AS grantedAt
        FROM subscriptions s
        JOIN payments p ON p.id = s.payment_id
        JOIN payment_ledger l ON l.seq = (SELECT MAX(seq) FROM payment_ledger WHERE payment_id = s.payment_id AND kind = 'granted')
        WHERE s.payment_id IS NOT NULL AND s.settled_at IS NULL
          AND (s.created_at, s.payment_id) > (${after?.grantedAt ?? 0}, ${after?.paymentId ?? ''})
        ORDER BY s.created_at, s.payment_id LIMIT ${limit}`);
    },

    /** Notes that payments are finalized, each in its block. What is settled already stays as it is. */
    async settle(finalized: readonly { paymentId: string; slot: number }[], now: number): Promise<void> {
      if (finalized.length === 0) return;
      const rows = sql`json_each(${JSON.stringify(finalized)})`;
      const paymentIds = sql`SELECT value ->> 'paymentId' FROM ${rows}`;
      await runBatch(db, [
        sql`
          INSERT INTO payment_ledger (id, payment_id, kind, slot, at)
          SELECT ${newId}, s.payment_id, 'settled', value ->> 'slot', ${now}
          FROM ${rows} JOIN subscriptions s ON s.payment_id = value ->> 'paymentId' WHERE s.settled_at IS NULL`,
        sql`UPDATE subscriptions SET settled_at = ${now} WHERE payment_id IN (${paymentIds}) AND settled_at IS NULL`,
        sql`
          UPDATE payment_broadcasts SET landed_at = ${now}
          WHERE landed_at IS NULL AND signature IN (SELECT signature FROM payments JOIN subscriptions s ON s.payment_id = payments.id WHERE payments.id IN (${paymentIds}))`,
      ]);
    },

    /**
     * Takes back the period of a payment that is not on the chain any more, unless it was settled or
     * granted anew since. What was stacked behind it moves forward: each period of the pair begins at
     * its grant or at the end of the one before, whichever is later.
     * @returns whether it was taken back.
     */
    async revoke({
      paymentId,
      grantId,
      revocationId,
      now,
    }: {
      paymentId: string;
      grantId: string;
      revocationId: string;
      now: number;
    }): Promise<boolean> {
      const isRevoked = sql`EXISTS (SELECT 1 FROM payment_ledger WHERE id = ${revocationId})`;
      const ofPair = (alias: 's' | 'f') => sql`
        ${sql.identifier(alias)}.subscriber_id = (SELECT user_id FROM payments WHERE id = ${paymentId})
        AND ${sql.identifier(alias)}.caller_id = (SELECT caller_id FROM payments WHERE id = ${paymentId})`;
      const inLedger = (column: 'starts_at' | 'ends_at') => sql`
        (SELECT ${sql.identifier(column)} FROM payment_ledger WHERE payment_id = s.payment_id AND kind IN ('granted', 'moved') ORDER BY seq DESC LIMIT 1)`;
      const [revoked = []] = await runBatch(db, [
        sql`
          INSERT INTO payment_ledger (id, payment_id, kind, at)
          SELECT ${revocationId}, ${paymentId}, 'revoked', ${now}
          WHERE (SELECT id FROM payment_ledger WHERE payment_id = ${paymentId} AND kind IN ('granted', 'revoked') ORDER BY seq DESC LIMIT 1) = ${grantId}
            AND NOT EXISTS (SELECT 1 FROM payment_ledger WHERE payment_id = ${paymentId} AND kind = 'settled')
          RETURNING id`,
        sql`DELETE FROM subscriptions WHERE payment_id = ${paymentId} AND ${isRevoked}`,
        // With n periods before it, a period begins at the latest of: what it could begin at by itself, and what
        // each earlier one could, followed by the periods in between.
        sql`
          INSERT INTO payment_ledger (id, payment_id, kind, starts_at, ends_at, at)
          SELECT ${newId}, payment_id, 'moved', start, start + ${SUBSCRIPTION_PERIOD_MS}, ${now}
          FROM (
            SELECT payment_id, starts_at, n * ${SUBSCRIPTION_PERIOD_MS} + MAX(base - n * ${SUBSCRIPTION_PERIOD_MS}) OVER (ORDER BY n) AS start
            FROM (
              SELECT s.payment_id, s.starts_at, ROW_NUMBER() OVER (ORDER BY s.starts_at) AS n,
                MAX(s.created_at, COALESCE((SELECT MAX(f.ends_at) FROM subscriptions f WHERE ${ofPair('f')} AND f.payment_id IS NULL AND f.starts_at < s.starts_at), 0)) AS base
              FROM subscriptions s WHERE ${ofPair('s')} AND s.payment_id IS NOT NULL))
          WHERE start <> starts_at AND ${isRevoked}`,
        sql`
          UPDATE subscriptions AS s SET starts_at = ${inLedger('starts_at')}, ends_at = ${inLedger('ends_at')}
          WHERE ${ofPair('s')} AND s.payment_id IS NOT NULL AND s.starts_at <> ${inLedger('starts_at')} AND ${isRevoked}`,
        sql`
          UPDATE subscriptions AS s SET starts_at = MAX(s.created_at, COALESCE((SELECT MAX(f.ends_at) FROM subscriptions f WHERE ${ofPair('f')}), 0))
          WHERE ${ofPair('s')} AND s.ends_at IS NULL AND ${isRevoked}`,
        sql`
          UPDATE callers SET
            earned_lamports = earned_lamports - (SELECT caller_lamports FROM payments WHERE id = ${paymentId}),
            subscriber_count = (SELECT COUNT(DISTINCT subscriber_id) FROM subscriptions WHERE caller_id = callers.caller_id AND status = 'active')
          WHERE caller_id = (SELECT caller_id FROM payments WHERE id = ${paymentId}) AND ${isRevoked}`,
      ]);
      return revoked.length === 1;
    },

    /** Puts finalized money that bought nothing on the operator's list. Returns those that were not on it. */
    async insertOrphans(orphans: readonly OrphanRow[]): Promise<string[]> {
      if (orphans.length === 0) return [];
      const inserted = await runBatch(
        db,
        orphans.map((orphan) =>
          db
            .insert(paymentOrphans)
            .values(orphan)
            .onConflictDoNothing()
            .returning({ signature: paymentOrphans.signature }),
        ),
      );
      return inserted.flat().map(({ signature }) => String(signature));
    },
  };
}
