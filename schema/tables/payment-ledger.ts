import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { moment, lamports } from './columns.ts';
import { paymentIntents, payments } from './payments.ts';
import { users } from './users.ts';

/**
 * What became of each payment, in the order in which it happened; the database refuses to change or
 * delete a line, and refuses one that cannot follow the lines before it.
 *
 * `granted`: it was seen at confirmed and bought the period. `settled`: it is finalized. `revoked`: a
 * fork took the transaction away, and with it the period; if it lands again it is granted again.
 * `moved`: an earlier payment of the pair was revoked, so this period begins earlier.
 */
export const paymentLedger = sqliteTable(
  'payment_ledger',
  {
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    id: text('id').notNull(),
    paymentId: text('payment_id')
      .notNull()
      .references(() => payments.id),
    kind: text('kind', { enum: ['granted', 'settled', 'revoked', 'moved'] }).notNull(),
    /** The block in which the transaction was seen. */
    slot: integer('slot'),
    startsAt: moment('starts_at'),
    endsAt: moment('ends_at'),
    at: moment('at').notNull(),
  },
  (table) => [
    uniqueIndex('payment_ledger_id').on(table.id),
    index('payment_ledger_payment').on(table.paymentId, table.seq),
    check(
      'payment_ledger_period',
      sql`(${table.kind} IN ('granted', 'moved')) = (${table.startsAt} IS NOT NULL) AND (${table.startsAt} IS NULL) = (${table.endsAt} IS NULL)`,
    ),
    check('payment_ledger_forward', sql`${table.endsAt} IS NULL OR ${table.endsAt} > ${table.startsAt}`),
    check(
      'payment_ledger_slot',
      sql`(${table.kind} IN ('granted', 'settled')) = (${table.slot} IS NOT NULL)`,
    ),
  ],
);

/** A finalized transaction that moved money to us or for one of our intents, and bought nothing. An operator looks into each. */
export const paymentOrphans = sqliteTable(
  'payment_orphans',
  {
    signature: text('signature').primaryKey(),
    /** The error code that says why it is no payment. */
    reason: text('reason').notNull(),
    intentId: text('intent_id').references(() => paymentIntents.id),
    /** Whose intent it names. */
    userId: text('user_id').references(() => users.id),
    /** Who paid the network's fee. */
    payerAddress: text('payer_address').notNull(),
    /** What the intent's caller and the platform were richer by after it. */
    callerLamports: lamports('caller_lamports'),
    platformLamports: lamports('platform_lamports').notNull(),
    slot: integer('slot').notNull(),
    paidAt: moment('paid_at').notNull(),
    foundAt: moment('found_at').notNull(),
    /** Written by the operator: when it was dealt with, and how. */
    resolvedAt: moment('resolved_at'),
    note: text('note'),
  },
  (table) => [
    index('payment_orphans_open')
      .on(table.foundAt)
      .where(sql`resolved_at IS NULL`),
  ],
);

/** The daily comparison of chain, ledger and periods: one row a day. */
export const ledgerChecks = sqliteTable('ledger_checks', {
  /** The day in UTC, as 2026-11-21. */
  day: text('day').primaryKey(),
  startedAt: moment('started_at').notNull(),
  finishedAt: moment('finished_at'),
  /** The newest finalized signature of the platform wallet that it has looked at. */
  scannedUntil: text('scanned_until'),
  /** How many problems it found, and the first of them as JSON. */
  problemCount: integer('problem_count'),
  problems: text('problems'),
});
