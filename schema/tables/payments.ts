import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { flag, isOn, isSet, lamports, timestamp } from './columns.ts';
import { userReference } from './users.ts';

const parties = () => ({
  userId: userReference('user_id'),
  callerId: userReference('caller_id'),
});

const amounts = () => ({
  totalLamports: lamports('total_lamports').notNull(),
  callerLamports: lamports('caller_lamports').notNull(),
  platformLamports: lamports('platform_lamports').notNull(),
});

/** Opened payments. A caller's later changes of the fee or wallet don't affect an intent's terms. */
export const paymentIntents = sqliteTable(
  'payment_intents',
  {
    id: text('id').primaryKey(),
    ...parties(),
    /** The key that the transaction must name (as in the Solana Pay spec), base58. */
    reference: text('reference').notNull(),
    callerAddress: text('caller_address').notNull(),
    platformAddress: text('platform_address').notNull(),
    ...amounts(),
    createdAt: timestamp('created_at').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
    /** The number of transactions that the platform walk read first, because their memo names this intent. */
    priorityReads: integer('priority_reads').notNull().default(0),
  },
  (table) => [
    uniqueIndex('payment_intents_reference').on(table.reference),
    index('payment_intents_user').on(table.userId, table.createdAt),
    check(
      'payment_intents_split',
      sql`${table.callerLamports} + ${table.platformLamports} = ${table.totalLamports}`,
    ),
    check('payment_intents_amounts', sql`${table.callerLamports} > 0 AND ${table.platformLamports} >= 0`),
    check('payment_intents_not_self', sql`${table.userId} <> ${table.callerId}`),
  ],
);

/** Signed transactions. Each is stored before its broadcast. */
export const paymentBroadcasts = sqliteTable(
  'payment_broadcasts',
  {
    signature: text('signature').primaryKey(),
    intentId: text('intent_id')
      .notNull()
      .references(() => paymentIntents.id),
    createdAt: timestamp('created_at').notNull(),
    /** `null` while no endpoint has responded since the transaction was stored. */
    lastValidBlockHeight: integer('last_valid_block_height'),
    /** The number of broadcast attempts. The cluster may reject one attempt while a concurrent attempt reaches it. */
    tries: integer('tries').notNull().default(1),
    /** Time at which the transaction could no longer move money: rejected, expired, or failed for good. */
    deadAt: timestamp('dead_at'),
    landedAt: timestamp('landed_at'),
    /** The transaction in base64. Null once it needn't be sent again. */
    signedBytes: text('signed_bytes'),
    /** The next search for the transaction, and its next broadcast. `null` once it is on the chain or can't land. */
    nextSendAt: timestamp('next_send_at'),
  },
  (table) => [
    index('payment_broadcasts_intent').on(table.intentId),
    index('payment_broadcasts_open')
      .on(table.createdAt, table.signature)
      .where(sql`dead_at IS NULL AND landed_at IS NULL`),
    index('payment_broadcasts_due').on(table.nextSendAt).where(isSet(table.nextSendAt)),
  ],
);

/**
 * Finalized transactions of the platform wallet that the platform walk has listed but not read. A row has the
 * transactions of one listed page.
 */
export const unreadTransactions = sqliteTable(
  'unread_transactions',
  {
    id: integer('id').primaryKey(),
    /** Time from which the transactions may be read; `null` while the listing isn't complete. */
    dueAt: timestamp('due_at'),
    /** The slot of the oldest transaction. */
    slot: integer('slot').notNull(),
    /** Oldest first. Each is a signature, followed by the intents that its memo names. */
    entries: text('entries', { mode: 'json' }).$type<readonly UnreadEntry[]>().notNull(),
    /** True if a memo names an intent, so these transactions are read before those of other rows. */
    hasPriority: flag('has_priority').notNull(),
  },
  (table) => [
    index('unread_transactions_due').on(table.dueAt, table.slot),
    index('unread_transactions_priority').on(table.dueAt, table.slot).where(isOn(table.hasPriority)),
  ],
);

type UnreadEntry = readonly [signature: string, ...intentIds: string[]];

/** Payments that landed on the chain. Rows are never deleted. */
export const payments = sqliteTable(
  'payments',
  {
    id: text('id').primaryKey(),
    signature: text('signature').notNull(),
    intentId: text('intent_id')
      .notNull()
      .references(() => paymentIntents.id),
    ...parties(),
    payerAddress: text('payer_address').notNull(),
    ...amounts(),
    slot: integer('slot').notNull(),
    paidAt: timestamp('paid_at').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('payments_signature').on(table.signature),
    index('payments_intent').on(table.intentId),
    index('payments_created').on(table.createdAt, table.id),
    index('payments_caller').on(table.callerId, table.createdAt, table.id),
    index('payments_user').on(table.userId, table.createdAt, table.id),
    check(
      'payments_split',
      sql`${table.callerLamports} + ${table.platformLamports} = ${table.totalLamports}`,
    ),
  ],
);
