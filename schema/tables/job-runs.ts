import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { timestamp } from './columns.ts';

/** The last run of each of the cron's jobs. */
export const jobRuns = sqliteTable('job_runs', {
  job: text('job').primaryKey(),
  startedAt: timestamp('started_at').notNull(),
  durationMs: integer('duration_ms').notNull(),
  /** Since when the job has failed in every run. Null if the last run succeeded. */
  failingSince: timestamp('failing_since'),
  /** The last run's error. Null if it succeeded. */
  error: text('error'),
});
