import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { moment } from './columns.ts';

/** How often each person has tried something, as a token bucket. At `fullAt` the bucket is full again. */
export const attempts = sqliteTable(
  'attempts',
  {
    action: text('action').notNull(),
    person: text('person').notNull(),
    fullAt: moment('full_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.action, table.person] }),
    index('attempts_by_time').on(table.fullAt),
  ],
);
