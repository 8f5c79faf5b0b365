import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { CALL_EVENT_KINDS, NOTIFICATION_KINDS } from '#schema/constants.ts';
import { callUpdates } from './call-updates.ts';
import { calls } from './calls.ts';
import { moment } from './columns.ts';
import { payments } from './payments.ts';
import { users } from './users.ts';

/**
 * What a caller's followers are told of a call. The database writes a row by itself with the call, its end and each
 * update, so that no way of making one is forgotten; the counters follow from `deliveries` in the same way.
 */
export const callEvents = sqliteTable(
  'call_events',
  {
    /** `{kind}:{id of the call or of the update}`. */
    id: text('id').primaryKey(),
    kind: text('kind', { enum: CALL_EVENT_KINDS }).notNull(),
    callId: text('call_id')
      .notNull()
      .references(() => calls.id),
    callerId: text('caller_id')
      .notNull()
      .references(() => users.id),
    updateId: text('update_id').references(() => callUpdates.id),
    at: moment('at').notNull(),
    /** When telling it began: its fan-out was put into the queue, or it was too old by then. */
    queuedAt: moment('queued_at'),
    /** For how many followers a message was put into the queue. */
    recipients: integer('recipients').notNull().default(0),
    delivered: integer('delivered').notNull().default(0),
    /** Whose chat does not take the bot's messages any more. */
    unreachable: integer('unreachable').notNull().default(0),
    /** Whom it was given up for. */
    failed: integer('failed').notNull().default(0),
  },
  (table) => [
    index('call_events_caller').on(table.callerId, table.at, table.id),
    index('call_events_untold')
      .on(table.at)
      .where(sql`queued_at IS NULL`),
    check('call_events_update', sql`(${table.kind} = 'call_update') = (${table.updateId} IS NOT NULL)`),
  ],
);

/**
 * A message to one chat about one event: claimed before it is sent, so that two attempts at once send it once, and
 * given its outcome when Telegram has answered. Kept for as long as a queue could bring the message again.
 */
export const deliveries = sqliteTable(
  'deliveries',
  {
    eventId: text('event_id').notNull(),
    chatId: text('chat_id').notNull(),
    claimedAt: moment('claimed_at').notNull(),
    outcome: text('outcome', { enum: ['delivered', 'unreachable', 'failed'] }),
  },
  (table) => [
    primaryKey({ columns: [table.eventId, table.chatId] }),
    index('deliveries_by_time').on(table.claimedAt),
  ],
);

/** A message that was given up, as it stood in the queue. An operator looks into each. */
export const deadLetters = sqliteTable(
  'dead_letters',
  {
    /** The queue's own id of the message. */
    id: text('id').primaryKey(),
    queue: text('queue').notNull(),
    /** JSON. */
    body: text('body').notNull(),
    reason: text('reason', { enum: ['too_old', 'too_many_attempts', 'unreadable'] }).notNull(),
    attempts: integer('attempts').notNull(),
    at: moment('at').notNull(),
    /** Written by the operator. */
    resolvedAt: moment('resolved_at'),
  },
  (table) => [
    index('dead_letters_open')
      .on(table.at)
      .where(sql`resolved_at IS NULL`),
  ],
);

/** A final payment of which its caller is told; written by the database with the ledger's line. */
export const paymentNotices = sqliteTable(
  'payment_notices',
  {
    paymentId: text('payment_id')
      .primaryKey()
      .references(() => payments.id),
    at: moment('at').notNull(),
    queuedAt: moment('queued_at'),
  },
  (table) => [
    index('payment_notices_untold')
      .on(table.at)
      .where(sql`queued_at IS NULL`),
  ],
);

/** A kind of message that somebody has switched off. */
export const notificationOptOuts = sqliteTable(
  'notification_opt_outs',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind', { enum: NOTIFICATION_KINDS }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind] })],
);

/** A caller of whose calls somebody wants no messages. */
export const notificationMutes = sqliteTable(
  'notification_mutes',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    callerId: text('caller_id')
      .notNull()
      .references(() => users.id),
    at: moment('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.callerId] })],
);
