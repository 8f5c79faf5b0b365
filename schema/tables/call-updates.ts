import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { callReference } from './calls.ts';
import { timestamp } from './columns.ts';

/** A caller's message to their followers about an active call. It is never edited. */
export const callUpdates = sqliteTable(
  'call_updates',
  {
    id: text('id').primaryKey(),
    callId: callReference('call_id'),
    message: text('message').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (table) => [index('call_updates_of_call').on(table.callId, table.createdAt)],
);
