import { index, text } from 'drizzle-orm/sqlite-core';
import { callReference } from './calls.ts';
import { timestamp } from './columns.ts';
import { erase, keep, table } from './table.ts';

/** A caller's message to their followers about an active call. It is never edited. */
export const callUpdates = table(
  'call_updates',
  {
    id: keep(text('id').primaryKey()),
    callId: keep(callReference('call_id')),
    message: erase(text('message').notNull()),
    createdAt: keep(timestamp('created_at').notNull()),
  },
  { of: 'callId', never: 'deleted' },
  (table) => [index('call_updates_of_call').on(table.callId, table.createdAt)],
);
