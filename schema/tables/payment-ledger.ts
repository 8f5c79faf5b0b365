import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { isSet, isUnset, lamports, timestamp } from './columns.ts';
import { paymentIntents, payments } from './payments.ts';
import { users } from './users.ts';

/**
 * The history of each payment. It is append-only: triggers refuse changes, and entries that can't follow the
 * previous entry.
 *
 * - `granted`: the transaction was confirmed and the period granted.
 * - `finalized`: the transaction was finalized.
 * - `revoked`: a fork removed the transaction and with it the period. If the transaction lands again, the
 * period is granted again.
 * - `moved`: the period begins earlier, because an earlier payment by this subscriber to this caller was
 * revoked.
 */
export const paymentLedger = sqliteTable(
  'payment_ledger',
  {
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    id: text('id').notNull(),
    paymentId: text('payment_id')
      .notNull()
      .references(() => payments.id),
    kind: text('kind', { enum: ['granted', 'finalized', 'revoked', 'moved'] }).notNull(),
    slot: integer('slot'),
    startsAt: timestamp('starts_at'),
    endsAt: timestamp('ends_at'),
    at: timestamp('at').notNull(),
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
      sql`(${table.kind} IN ('granted', 'finalized')) = (${table.slot} IS NOT NULL)`,
    ),
  ],
);

/**
 * Finalized transactions that bought nothing, but paid the platform or a caller at least
 * `MIN_ORPHAN_LAMPORTS`. An operator resolves each of them.
 */
export const paymentOrphans = sqliteTable(
  'payment_orphans',
  {
    signature: text('signature').primaryKey(),
    reason: text('reason').notNull(),
    intentId: text('intent_id').references(() => paymentIntents.id),
    userId: text('user_id').references(() => users.id),
    /** The wallet that paid the network fee. */
    payerAddress: text('payer_address').notNull(),
    /** The balance change of the intent's caller. */
    callerLamports: lamports('caller_lamports'),
    platformLamports: lamports('platform_lamports').notNull(),
    slot: integer('slot').notNull(),
    paidAt: timestamp('paid_at').notNull(),
    foundAt: timestamp('found_at').notNull(),
    resolvedAt: timestamp('resolved_at'),
    note: text('note'),
  },
  (table) => [
    index('payment_orphans_open').on(table.foundAt).where(isUnset(table.resolvedAt)),
    index('payment_orphans_user').on(table.userId).where(isSet(table.userId)),
  ],
);

/** The daily comparisons of chain, ledger and periods. A check may take several runs of the cron. */
export const ledgerChecks = sqliteTable('ledger_checks', {
  /** The day in UTC, such as 2026-11-21. */
  day: text('day').primaryKey(),
  startedAt: timestamp('started_at').notNull(),
  finishedAt: timestamp('finished_at'),
  problemCount: integer('problem_count'),
  /** The first problems as JSON. */
  problems: text('problems'),
  /**
   * The number of transfers to the platform wallet since this check that matched nothing and are too small to
   * be listed as orphans.
   */
  dustTransfers: integer('dust_transfers').notNull().default(0),
  dustLamports: lamports('dust_lamports')
    .notNull()
    .default(sql`0`),
});
