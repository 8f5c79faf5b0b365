import { text } from 'drizzle-orm/sqlite-core';
import { timestamp } from './columns.ts';
import { table } from './table.ts';

/** The cron's jobs whose last run failed, and RPC endpoints that don't respond or lag, such as `rpc.primary`. */
export const jobFailures = table(
  'job_failures',
  {
    job: text('job').primaryKey(),
    /** Time of the first of the consecutive failures. */
    since: timestamp('since').notNull(),
    at: timestamp('at').notNull(),
    error: text('error').notNull(),
    alarmedAt: timestamp('alarmed_at'),
  },
  { withheld: 'Background jobs that fail.', notBackedUp: 'the next minute writes it again' },
);
