import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { timestamp } from './columns.ts';

/** The last run of each cron job. */
export const jobRuns = sqliteTable('job_runs', {
  job: text('job').primaryKey(),
  startedAt: timestamp('started_at').notNull(),
  durationMs: integer('duration_ms').notNull(),
  /** Time of the first of the job's consecutive failures. Null if the last run succeeded. */
  failingSince: timestamp('failing_since'),
  /** The last run's error. Null if it succeeded. */
  error: text('error'),
});
