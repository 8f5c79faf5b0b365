import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { CALL_LEVELS } from '#schema/constants/market.ts';
import { CALL_EVENT_KINDS, NOTIFICATION_KINDS } from '#schema/constants/messages.ts';
import { callUpdates } from './call-updates.ts';
import { callReference } from './calls.ts';
import { timestamp, price } from './columns.ts';
import { erase, keep, table } from './table.ts';
import { accountReference, userReference } from './users.ts';

/** Calls' events for followers. The batch that changes the call inserts them; the sender updates the counts. */
export const callEvents = table(
  'call_events',
  {
    /** `{kind}:{id of the call or of the update}`, or `level_hit:{id of the call}:{level}`. */
    id: keep(text('id').notNull()),
    kind: keep(text('kind', { enum: CALL_EVENT_KINDS }).notNull()),
    callId: keep(callReference('call_id')),
    callerId: keep(userReference('caller_id')),
    updateId: keep(text('update_id').references(() => callUpdates.id)),
    /** The level that was hit, and the price that two sources confirmed. */
    level: keep(text('level', { enum: CALL_LEVELS })),
    price: keep(price('price')),
    at: keep(timestamp('at').notNull()),
    recipients: keep(integer('recipients').notNull().default(0)),
    delivered: keep(integer('delivered').notNull().default(0)),
    unreachable: keep(integer('unreachable').notNull().default(0)),
    failed: keep(integer('failed').notNull().default(0)),
  },
  { of: 'callerId', pagedBy: ['at', 'id'], withoutRowid: true },
  (table) => [
    primaryKey({ columns: [table.id] }),
    index('call_events_caller').on(table.callerId, table.at, table.id),
    check('call_events_level', sql`(${table.kind} = 'level_hit') = (${table.level} IS NOT NULL)`),
    check('call_events_price', sql`(${table.kind} = 'level_hit') = (${table.price} IS NOT NULL)`),
    check('call_events_update', sql`(${table.kind} = 'call_update') = (${table.updateId} IS NOT NULL)`),
  ],
);

/** Messages of one event that failed for good. An operator resolves them. */
export const failedDeliveries = table(
  'failed_deliveries',
  {
    /** `{kind}:{subject}` of a fact (`facts.ts`). */
    eventId: text('event_id').primaryKey(),
    /** An opaque id for operators, because the event's id names a call that may be hidden from them. */
    id: text('id')
      .notNull()
      .default(sql`(lower(hex(randomblob(16))))`),
    messages: integer('messages').notNull(),
    error: text('error').notNull(),
    at: timestamp('at').notNull(),
    resolvedAt: timestamp('resolved_at'),
    /** Time of an operator's request to send the messages again. Null again once the sender has the request. */
    resendAt: timestamp('resend_at'),
  },
  { withheld: 'Messages that could not be sent, without their texts, for operators.' },
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

export const notificationOptOuts = table(
  'notification_opt_outs',
  {
    userId: erase(accountReference('user_id')),
    kind: erase(text('kind', { enum: NOTIFICATION_KINDS }).notNull()),
  },
  { of: 'userId' },
  (table) => [primaryKey({ columns: [table.userId, table.kind] })],
);

/** Callers whom users have muted. A user gets no messages about a muted caller's calls. */
export const notificationMutes = table(
  'notification_mutes',
  {
    userId: erase(accountReference('user_id')),
    callerId: erase(userReference('caller_id')),
    at: erase(timestamp('at').notNull()),
  },
  { of: 'userId' },
  (table) => [primaryKey({ columns: [table.userId, table.callerId] })],
);
