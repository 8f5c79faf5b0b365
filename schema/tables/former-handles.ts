import { index, primaryKey, text } from 'drizzle-orm/sqlite-core';
import { timestamp } from './columns.ts';
import { erase, table } from './table.ts';
import { accountReference } from './users.ts';

/** Handles that callers had before. We learn about changes at sign-ins only. */
export const formerHandles = table(
  'former_handles',
  {
    /** In lower case. */
    handle: erase(text('handle').notNull()),
    userId: erase(accountReference('user_id')),
    until: erase(timestamp('until').notNull()),
    /** Time of the first sign-in of another account with the handle. */
    takenAt: erase(timestamp('taken_at')),
  },
  { of: 'userId' },
  (table) => [
    primaryKey({ columns: [table.handle, table.userId] }),
    index('former_handles_user').on(table.userId),
  ],
);
