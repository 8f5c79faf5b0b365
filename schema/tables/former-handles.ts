import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { timestamp } from './columns.ts';
import { accountReference } from './users.ts';

/** Handles that callers had before. We learn about changes at sign-ins only. */
export const formerHandles = sqliteTable(
  'former_handles',
  {
    /** In lower case. */
    handle: text('handle').notNull(),
    userId: accountReference('user_id'),
    /** Time until which the user had the handle. */
    until: timestamp('until').notNull(),
    /** Time of the first sign-in of another account with the handle. */
    takenAt: timestamp('taken_at'),
  },
  (table) => [
    primaryKey({ columns: [table.handle, table.userId] }),
    index('former_handles_user').on(table.userId),
  ],
);
