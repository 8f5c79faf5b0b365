import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { timestamp } from './columns.ts';

/** The cron's jobs whose last run failed. */
export const jobFailures = sqliteTable('job_failures', {
  job: text('job').primaryKey(),
  /** Time of the first of the job's consecutive failures. */
  since: timestamp('since').notNull(),
  /** Time of the last failure. */
  at: timestamp('at').notNull(),
  error: text('error').notNull(),
});
