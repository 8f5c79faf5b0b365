import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { calls } from './calls.ts';
import { moment } from './columns.ts';

/** What a caller told their followers about an active call. Never edited. */
export const callUpdates = sqliteTable(
  'call_updates',
  {
    id: text('id').primaryKey(),
    callId: text('call_id')
      .notNull()
      .references(() => calls.id),
    message: text('message').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('call_updates_of_call').on(table.callId, table.createdAt)],
);

/**
 * A message to one chat about one event: claimed before it is sent, so that two attempts at once send
 * it once, and marked when Telegram has taken it.
 */
export const deliveries = sqliteTable(
  'deliveries',
  {
    eventId: text('event_id').notNull(),
    chatId: text('chat_id').notNull(),
    claimedAt: moment('claimed_at').notNull(),
    deliveredAt: moment('delivered_at'),
  },
  (table) => [primaryKey({ columns: [table.eventId, table.chatId] })],
);
