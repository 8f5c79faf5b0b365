import { index, primaryKey, text } from 'drizzle-orm/sqlite-core';
import { timestamp } from './columns.ts';
import { table } from './table.ts';

/** A person's rate limit for an action, as a token bucket that is full again at `fullAt`. */
export const attempts = table(
  'attempts',
  {
    action: text('action').notNull(),
    person: text('person').notNull(),
    fullAt: timestamp('full_at').notNull(),
  },
  {
    withheld: 'Counters of what you tried within the last day, to limit how often you can do it.',
    notBackedUp: 'rate limits, which fill up again',
  },
  (table) => [
    primaryKey({ columns: [table.action, table.person] }),
    index('attempts_by_time').on(table.fullAt),
  ],
);
