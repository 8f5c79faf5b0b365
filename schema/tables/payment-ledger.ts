import type { PaymentMismatch } from '#schema/rules/money/payment.ts';
import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { isSet, isUnset, lamports, timestamp } from './columns.ts';
import { paymentIntents, payments } from './payments.ts';
import { keep, table, withhold } from './table.ts';
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
 * revoked or refunded.
 * - `refunded`: the caller paid their share back, for which the subscriber had asked, or the whole amount. The period has
 * ended, at the latest now; without times, it hadn't begun and is removed.
 */
export const paymentLedger = table(
  'payment_ledger',
  {
    seq: keep(integer('seq').primaryKey({ autoIncrement: true })),
    id: keep(text('id').notNull()),
    paymentId: keep(
      text('payment_id')
        .notNull()
        .references(() => payments.id),
    ),
    kind: keep(text('kind', { enum: ['granted', 'finalized', 'revoked', 'moved', 'refunded'] }).notNull()),
    slot: keep(integer('slot')),
    startsAt: keep(timestamp('starts_at')),
    endsAt: keep(timestamp('ends_at')),
    at: keep(timestamp('at').notNull()),
  },
  { of: 'paymentId', never: 'changed' },
  (table) => [
    uniqueIndex('payment_ledger_id').on(table.id),
    index('payment_ledger_payment').on(table.paymentId, table.seq),
    check(
      'payment_ledger_period',
      sql`(${table.kind} = 'refunded' OR (${table.kind} IN ('granted', 'moved')) = (${table.startsAt} IS NOT NULL)) AND (${table.startsAt} IS NULL) = (${table.endsAt} IS NULL)`,
    ),
    check('payment_ledger_forward', sql`${table.endsAt} IS NULL OR ${table.endsAt} > ${table.startsAt}`),
    check(
      'payment_ledger_slot',
      sql`(${table.kind} IN ('granted', 'finalized')) = (${table.slot} IS NOT NULL)`,
    ),
  ],
);

/** `lamports` is the balance change of the payout wallet. */
export interface CallerPart {
  readonly address: string;
  readonly lamports: number;
}

/**
 * A payment's refund: whether the subscriber asks for it, and whether the caller has opened it. A payment has at most one,
 * and all transfers that name its reference count.
 */
export const refunds = table(
  'refunds',
  {
    paymentId: keep(
      text('payment_id')
        .primaryKey()
        .references(() => payments.id),
    ),
    /** The key that the transfers must name, base58. Secret until the first one, so that it is read before others. */
    reference: withhold(text('reference').notNull()),
    /** When the subscriber asked. `null` if they didn't, or took it back. */
    askedAt: keep(timestamp('asked_at')),
    /** The newest time at which the caller opened the refund. From `askedAt` on, the request can't be taken back. */
    openedAt: keep(timestamp('opened_at')),
    /** `null` a day after `openedAt`. */
    nextSearchAt: keep(timestamp('next_search_at')),
    /** All finalized transactions that name the reference were read, up to this one in the order of slot and signature. */
    readSlot: keep(integer('read_slot').notNull().default(0)),
    readSignature: keep(text('read_signature').notNull().default('')),
    /** The transfer that was broadcast last for the caller's page. `null` once it can't land any more. */
    sentSignature: keep(text('sent_signature')),
    /** The last block that can include a transfer that we or the caller's wallet may have sent. `null` if there is none. */
    lastValidBlockHeight: keep(integer('last_valid_block_height')),
  },
  { of: 'paymentId', alsoOf: { section: 'refunds_by_you' }, never: 'deleted' },
  (table) => [
    uniqueIndex('refunds_reference').on(table.reference),
    index('refunds_due').on(table.nextSearchAt).where(isSet(table.nextSearchAt)),
  ],
);

/** The parts of finalized transactions by which a caller paid back a payment or a part of it. */
export const refundTransfers = table(
  'refund_transfers',
  {
    signature: keep(text('signature').notNull()),
    paymentId: keep(
      text('payment_id')
        .notNull()
        .references(() => payments.id),
    ),
    lamports: keep(lamports('lamports').notNull()),
    slot: keep(integer('slot').notNull()),
    paidAt: keep(timestamp('paid_at').notNull()),
    at: keep(timestamp('at').notNull()),
  },
  { of: 'paymentId', alsoOf: { section: 'refund_transfers_by_you' }, never: 'changed' },
  (table) => [
    primaryKey({ columns: [table.signature, table.paymentId] }),
    index('refund_transfers_payment').on(table.paymentId, table.at),
    check('refund_transfers_amount', sql`${table.lamports} > 0`),
  ],
);

/**
 * Finalized transactions that bought nothing, but paid the platform or a caller at least
 * `MIN_ORPHAN_LAMPORTS`. An operator resolves each of them.
 */
export const paymentOrphans = table(
  'payment_orphans',
  {
    signature: keep(text('signature').primaryKey()),
    reason: keep(text('reason').$type<`payments.${PaymentMismatch}`>().notNull()),
    intentId: keep(text('intent_id').references(() => paymentIntents.id)),
    userId: keep(text('user_id').references(() => users.id)),
    payerAddress: keep(text('payer_address').notNull()),
    /** The amounts that remained with callers whose intents the transaction names by its reference or memo. */
    callerParts: keep(
      text('caller_parts', { mode: 'json' }).$type<readonly CallerPart[]>().notNull().default([]),
    ),
    platformLamports: keep(lamports('platform_lamports').notNull()),
    slot: keep(integer('slot').notNull()),
    paidAt: keep(timestamp('paid_at').notNull()),
    foundAt: keep(timestamp('found_at').notNull()),
    resolvedAt: keep(timestamp('resolved_at')),
    /** The reason that an operator gave. Only operators read it. */
    note: withhold(text('note')),
  },
  { of: 'userId', never: 'deleted' },
  (table) => [
    index('payment_orphans_open').on(table.foundAt).where(isUnset(table.resolvedAt)),
    index('payment_orphans_payer').on(table.payerAddress),
    index('payment_orphans_intent').on(table.intentId).where(isSet(table.intentId)),
    index('payment_orphans_user').on(table.userId).where(isSet(table.userId)),
  ],
);

/** The daily comparisons of chain, ledger and periods. A check may take several runs of the cron. */
export const ledgerChecks = table(
  'ledger_checks',
  {
    day: text('day').primaryKey(),
    startedAt: timestamp('started_at').notNull(),
    finishedAt: timestamp('finished_at'),
    problemCount: integer('problem_count'),
    /** The first problems as JSON. */
    problems: text('problems'),
    /** Transfers to the platform wallet since this check that matched nothing and are too small for orphans. */
    dustTransfers: integer('dust_transfers').notNull().default(0),
    dustLamports: lamports('dust_lamports')
      .notNull()
      .default(sql`0`),
  },
  { withheld: 'Daily checks of all payments together.' },
);

/** The commission of each month (UTC) by the chain's time of its payments. */
export const earnedMonths = table(
  'earned_months',
  {
    /** Such as '2026-11'. */
    month: text('month').primaryKey(),
    /** All granted payments, kept by the batches that grant and revoke them. */
    payments: integer('payments').notNull().default(0),
    lamports: lamports('lamports')
      .notNull()
      .default(sql`0`),
    /** The payments that the daily checks have compared, each once, a day after it was recorded. */
    checkedPayments: integer('checked_payments').notNull().default(0),
    /** The sum of their commission according to the ledger. */
    ledgerLamports: lamports('ledger_lamports')
      .notNull()
      .default(sql`0`),
    /** The sum that their transactions left in the platform wallet. */
    chainLamports: lamports('chain_lamports')
      .notNull()
      .default(sql`0`),
  },
  { withheld: 'Our commission of each month.' },
);
