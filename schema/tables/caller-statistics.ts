import { text } from 'drizzle-orm/sqlite-core';
import { table } from './table.ts';
import { userReference } from './users.ts';

/** Holds each caller's ended calls in one row, so that their statistics needn't read every call. */
export const callerStatistics = table(
  'caller_statistics',
  {
    callerId: userReference('caller_id').primaryKey(),
    /** The number of calls in this row. It identifies them, because an ended call never changes. */
    version: text('version').notNull(),
    /** The newest STATISTICS_MAX_CALLS ended calls, oldest first. */
    calls: text('calls', { mode: 'json' }).$type<readonly (readonly unknown[])[]>().notNull(),
  },
  {
    withheld: 'A copy of your ended calls, for faster statistics.',
    notBackedUp: 'a cache of the ended calls',
  },
);
