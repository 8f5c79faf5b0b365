import { text } from 'drizzle-orm/sqlite-core';
import { timestamp } from './columns.ts';
import { table } from './table.ts';

/** The run that holds each job's lease, and the job's progress. */
export const jobLeases = table(
  'job_leases',
  {
    job: text('job').primaryKey(),
    holder: text('holder'),
    expiresAt: timestamp('expires_at').notNull().default(0),
    /** The position at which the next run continues; null means the beginning. */
    cursor: text('cursor'),
  },
  { withheld: 'The background jobs that are running.', notBackedUp: 'the jobs begin from the start' },
);
