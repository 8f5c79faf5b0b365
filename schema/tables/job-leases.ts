import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { moment } from './columns.ts';

/** Which run of a job works now, until when it may be silent, and how far the job has come. */
export const jobLeases = sqliteTable('job_leases', {
  job: text('job').primaryKey(),
  /** The run that holds the lease; null when none does. */
  holder: text('holder'),
  expiresAt: moment('expires_at').notNull().default(0),
  /** Where the next run goes on; null begins anew. */
  cursor: text('cursor'),
});
