import { sql } from 'drizzle-orm';
import { check, index, integer, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { MONTH_DAYS, PERIOD_LENGTHS } from '#schema/constants/money.ts';
import type { PeriodDays } from '#schema/rules/money/lengths.ts';
import { flag, isOn, isSet, lamports, timestamp } from './columns.ts';
import { keep, table } from './table.ts';
import { userReference } from './users.ts';

const parties = () => ({
  userId: keep(userReference('user_id')),
  callerId: keep(userReference('caller_id')),
});

const amounts = () => ({
  totalLamports: keep(lamports('total_lamports').notNull()),
  callerLamports: keep(lamports('caller_lamports').notNull()),
  platformLamports: keep(lamports('platform_lamports').notNull()),
});

/** Opened payments. A caller's later changes of the fee or wallet don't affect an intent's terms. */
export const paymentIntents = table(
  'payment_intents',
  {
    id: keep(text('id').primaryKey()),
    ...parties(),
    /** The key that the transaction must name (as in the Solana Pay spec), base58. */
    reference: keep(text('reference').notNull()),
    callerAddress: keep(text('caller_address').notNull()),
    platformAddress: keep(text('platform_address').notNull()),
    /** The caller's fee for a month, and the days that the payment buys. */
    feeLamports: keep(lamports('fee_lamports').notNull()),
    days: keep(integer('days').$type<PeriodDays>().notNull()),
    ...amounts(),
    createdAt: keep(timestamp('created_at').notNull()),
    expiresAt: keep(timestamp('expires_at').notNull()),
    /** The number of transactions that the platform walk read first, because their memo names this intent. */
    priorityReads: keep(integer('priority_reads').notNull().default(0)),
    /**
     * The turn in which the cron searches for the payment next: lowest first, and each person has one intent in a turn.
     * `null` once the intent is paid or has long ended.
     */
    searchTurn: keep(integer('search_turn')),
  },
  { of: 'userId', pagedBy: ['createdAt'], never: 'deleted' },
  (table) => [
    uniqueIndex('payment_intents_reference').on(table.reference),
    index('payment_intents_user').on(table.userId, table.createdAt),
    index('payment_intents_searches')
      .on(table.searchTurn, sql`created_at DESC`)
      .where(isSet(table.searchTurn)),
    index('payment_intents_turns').on(table.userId, table.searchTurn).where(isSet(table.searchTurn)),
    check(
      'payment_intents_split',
      sql`${table.callerLamports} + ${table.platformLamports} = ${table.totalLamports}`,
    ),
    check(
      'payment_intents_price',
      sql.raw(`total_lamports = (fee_lamports * days + ${MONTH_DAYS - 1}) / ${MONTH_DAYS}`),
    ),
    check('payment_intents_days', sql.raw(`days IN (${PERIOD_LENGTHS.join(', ')})`)),
    check('payment_intents_amounts', sql`${table.callerLamports} > 0 AND ${table.platformLamports} >= 0`),
    check('payment_intents_not_self', sql`${table.userId} <> ${table.callerId}`),
  ],
);

/**
 * Transactions for intents: those that we sent, each stored before its broadcast, and those of wallets that landed but
 * can't be read yet.
 */
export const paymentBroadcasts = table(
  'payment_broadcasts',
  {
    signature: keep(text('signature').primaryKey()),
    intentId: keep(
      text('intent_id')
        .notNull()
        .references(() => paymentIntents.id),
    ),
    createdAt: keep(timestamp('created_at').notNull()),
    /** `null` while no endpoint has responded since the transaction was stored. */
    lastValidBlockHeight: keep(integer('last_valid_block_height')),
    /** The number of our broadcasts, 0 for a wallet's transaction. The cluster may reject one attempt while a concurrent attempt reaches it. */
    tries: keep(integer('tries').notNull().default(1)),
    /**
     * Time from which the transaction blocks no other payment: the cluster rejected it, it expired or failed for good, it
     * bought nothing, or an operator released it because it can't be read.
     */
    deadAt: keep(timestamp('dead_at')),
    landedAt: keep(timestamp('landed_at')),
    /** The last time at which we found the transaction on the chain, but couldn't read it. It stays once it's readable. */
    unreadableAt: keep(timestamp('unreadable_at')),
    /** The transaction in base64. Null once it needn't be sent again. */
    signedBytes: keep(text('signed_bytes')),
    /** The next search for the transaction, and its next broadcast. `null` once it is on the chain or can't land. */
    nextSendAt: keep(timestamp('next_send_at')),
  },
  { of: 'intentId', never: 'deleted' },
  (table) => [
    index('payment_broadcasts_intent').on(table.intentId),
    index('payment_broadcasts_open')
      .on(table.createdAt, table.signature)
      .where(sql`dead_at IS NULL AND landed_at IS NULL`),
    index('payment_broadcasts_unreadable')
      .on(table.unreadableAt)
      .where(sql`unreadable_at IS NOT NULL AND dead_at IS NULL AND landed_at IS NULL`),
    index('payment_broadcasts_due').on(table.nextSendAt).where(isSet(table.nextSendAt)),
  ],
);

/**
 * Finalized transactions of the platform wallet that the platform walk has listed but not read. A row has the
 * transactions of one listed page.
 */
export const unreadTransactions = table(
  'unread_transactions',
  {
    id: integer('id').primaryKey(),
    /** Time from which the transactions may be read; `null` while the listing isn't complete. */
    dueAt: timestamp('due_at'),
    slot: integer('slot').notNull(),
    /** True if the transactions couldn't be read before. They are read again when nothing else is due. */
    isRetry: flag('is_retry').notNull(),
    /** Oldest first. Each is a signature, followed by the intents that its memo names. */
    entries: text('entries', { mode: 'json' }).$type<readonly UnreadEntry[]>().notNull(),
    /** True if a memo names an intent, so these transactions are read before those of other rows. */
    hasPriority: flag('has_priority').notNull(),
  },
  { withheld: 'Transactions of the platform wallet that we have not read yet.' },
  (table) => [
    index('unread_transactions_due').on(table.isRetry, table.dueAt, table.slot),
    index('unread_transactions_priority').on(table.dueAt, table.slot).where(isOn(table.hasPriority)),
  ],
);

type UnreadEntry = readonly [signature: string, ...intentIds: string[]];

/** Payments that landed on the chain. Rows are never deleted. */
export const payments = table(
  'payments',
  {
    id: keep(text('id').primaryKey()),
    signature: keep(text('signature').notNull()),
    intentId: keep(
      text('intent_id')
        .notNull()
        .references(() => paymentIntents.id),
    ),
    ...parties(),
    payerAddress: keep(text('payer_address').notNull()),
    ...amounts(),
    slot: keep(integer('slot').notNull()),
    paidAt: keep(timestamp('paid_at').notNull()),
    createdAt: keep(timestamp('created_at').notNull()),
  },
  {
    of: 'userId',
    pagedBy: ['createdAt', 'id'],
    alsoOf: { section: 'payments_to_you', column: 'callerId', pagedBy: ['createdAt', 'id'] },
  },
  (table) => [
    uniqueIndex('payments_signature').on(table.signature),
    index('payments_intent').on(table.intentId),
    index('payments_created').on(table.createdAt, table.id),
    index('payments_caller').on(table.callerId, table.createdAt, table.id),
    index('payments_payer').on(table.payerAddress, table.createdAt),
    index('payments_user').on(table.userId, table.createdAt, table.id),
    check(
      'payments_split',
      sql`${table.callerLamports} + ${table.platformLamports} = ${table.totalLamports}`,
    ),
  ],
);
