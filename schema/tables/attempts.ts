import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { timestamp } from './columns.ts';

/** A person's rate limit for an action, as a token bucket that is full again at `fullAt`. */
export const attempts = sqliteTable(
  'attempts',
  {
    action: text('action').notNull(),
    person: text('person').notNull(),
    fullAt: timestamp('full_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.action, table.person] }),
    index('attempts_by_time').on(table.fullAt),
  ],
);
