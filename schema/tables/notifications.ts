import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { CALL_LEVELS } from '#schema/constants/market.ts';
import { CALL_EVENT_KINDS, NOTIFICATION_KINDS } from '#schema/constants/messages.ts';
import { callUpdates } from './call-updates.ts';
import { callReference } from './calls.ts';
import { timestamp, price } from './columns.ts';
import { payments } from './payments.ts';
import { accountReference, userReference } from './users.ts';

/** Calls' events for followers. The batch that changes the call inserts them; the sender updates the counts. */
export const callEvents = sqliteTable(
  'call_events',
  {
    /** `{kind}:{id of the call or of the update}`, or `level_hit:{id of the call}:{level}`. */
    id: text('id').primaryKey(),
    kind: text('kind', { enum: CALL_EVENT_KINDS }).notNull(),
    callId: callReference('call_id'),
    callerId: userReference('caller_id'),
    updateId: text('update_id').references(() => callUpdates.id),
    /** The level that was hit, and the price that two sources confirmed. */
    level: text('level', { enum: CALL_LEVELS }),
    price: price('price'),
    at: timestamp('at').notNull(),
    /** Time at which the sender accepted the event, or at which the event was skipped because it was too old. */
    queuedAt: timestamp('queued_at'),
    /** The number of connected followers for whom a message has been prepared so far. */
    recipients: integer('recipients').notNull().default(0),
    delivered: integer('delivered').notNull().default(0),
    /** The number of chats that block the bot or no longer exist. */
    unreachable: integer('unreachable').notNull().default(0),
    /** The number of messages that failed for good. */
    failed: integer('failed').notNull().default(0),
  },
  (table) => [
    index('call_events_caller').on(table.callerId, table.at, table.id),
    index('call_events_unsent')
      .on(table.at)
      .where(sql`queued_at IS NULL`),
    check('call_events_level', sql`(${table.kind} = 'level_hit') = (${table.level} IS NOT NULL)`),
    check('call_events_price', sql`(${table.kind} = 'level_hit') = (${table.price} IS NOT NULL)`),
    check('call_events_update', sql`(${table.kind} = 'call_update') = (${table.updateId} IS NOT NULL)`),
  ],
);

/** Messages of one event that failed for good. An operator resolves them. */
export const failedDeliveries = sqliteTable(
  'failed_deliveries',
  {
    /** An id of `call_events`, or an id that begins with a kind of `PersonalEvent`. */
    eventId: text('event_id').primaryKey(),
    /** An opaque id for operators, because the event's id names a call that may be hidden from them. */
    id: text('id')
      .notNull()
      .default(sql`(lower(hex(randomblob(16))))`),
    messages: integer('messages').notNull(),
    /** The error of the last attempt. */
    error: text('error').notNull(),
    at: timestamp('at').notNull(),
    /** Set by the operator once the problem is resolved. */
    resolvedAt: timestamp('resolved_at'),
    /** Time of an operator's request to send the messages again. Null again once the sender has the request. */
    resendAt: timestamp('resend_at'),
  },
  (table) => [
    uniqueIndex('failed_deliveries_id').on(table.id),
    index('failed_deliveries_open')
      .on(table.at)
      .where(sql`resolved_at IS NULL`),
    index('failed_deliveries_to_resend')
      .on(table.resendAt)
      .where(sql`resend_at IS NOT NULL`),
  ],
);

/** Notices to callers about finalized payments. Inserted together with the ledger entry. */
export const paymentNotices = sqliteTable(
  'payment_notices',
  {
    paymentId: text('payment_id')
      .primaryKey()
      .references(() => payments.id),
    at: timestamp('at').notNull(),
    /** Time at which the sender accepted the notice, or at which the notice was skipped because it was too old. */
    queuedAt: timestamp('queued_at'),
  },
  (table) => [
    index('payment_notices_unsent')
      .on(table.at)
      .where(sql`queued_at IS NULL`),
  ],
);

/** Kinds of messages that users have switched off. */
export const notificationOptOuts = sqliteTable(
  'notification_opt_outs',
  {
    userId: accountReference('user_id'),
    kind: text('kind', { enum: NOTIFICATION_KINDS }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind] })],
);

/** Callers whom users have muted. A user gets no messages about a muted caller's calls. */
export const notificationMutes = sqliteTable(
  'notification_mutes',
  {
    userId: accountReference('user_id'),
    callerId: userReference('caller_id'),
    at: timestamp('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.callerId] })],
);
