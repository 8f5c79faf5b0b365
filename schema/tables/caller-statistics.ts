import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { userReference } from './users.ts';

/** The ended calls of each caller in one row, so that their statistics needn't read every call. */
export const callerStatistics = sqliteTable('caller_statistics', {
  callerId: userReference('caller_id').primaryKey(),
  /** Which calls these are. An ended call never changes, so the number of ended calls says it. */
  version: text('version').notNull(),
  /** JSON of the newest STATISTICS_MAX_CALLS ended calls, oldest first. */
  calls: text('calls').notNull(),
});
