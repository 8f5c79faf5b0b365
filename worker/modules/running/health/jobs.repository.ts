import { and, inArray, isNull, like, lte, sql } from 'drizzle-orm';
import { JOB_LATE_MS } from '#schema/constants/running.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { jobFailures } from '#schema/tables/job-failures.ts';
import { readJson, type JsonText } from '#schema/rules/typed-json.ts';
import { keysOf } from '#schema/rules/typed-keys.ts';
import { readWithSharedParams, runBatch, type Database } from '../../../shared/database.ts';
import { valuesOf } from '../../../shared/rows.ts';
import { dueTimes, type JobName } from './due-times.repository.ts';

/** Begins the names of RPC endpoints in `job_failures`. */
export const ENDPOINTS = 'rpc.';

export type JobFailure = Omit<typeof jobFailures.$inferSelect, 'alarmedAt'>;

export type FailedRun = Omit<JobFailure, 'since'>;

export interface DueJob {
  readonly job: JobName;
  readonly since: number;
}

export interface JobsState {
  readonly due: readonly DueJob[];
  readonly late: readonly DueJob[];
  readonly failing: readonly JobFailure[];
}

/** Jobs that may take longer than JOB_LATE_MS: their work is spread over many runs, or waits for prices. */
const LATE_AFTER_MS: Partial<Record<JobName, number>> = {
  'accounts.delete': DAY_MS,
  'accounts.erase': DAY_MS,
  'backup.export': DAY_MS,
  'calls.end': 2 * DAY_MS,
  'payments.check': DAY_MS,
  'statistics.repair': 7 * DAY_MS,
};

export function createJobsRepository(db: Database) {
  return {
    async readState(now: number): Promise<JobsState> {
      const times = dueTimes(now);
      const jobs = keysOf(times);
      const selected = jobs.map((job) => sql`${times[job] ?? now} AS ${sql.identifier(job)}`);
      const [row] = await readWithSharedParams<
        Record<JobName, number | null> & { failing: JsonText<JobFailure[]> }
      >(
        db,
        sql`
          SELECT ${sql.join(selected, sql`, `)},
            (SELECT json_group_array(json_object('job', job, 'since', since, 'at', at, 'error', error))
              FROM job_failures) AS failing`,
      );
      if (row === undefined) throw new Error('The database returned no row.');
      const due = jobs.flatMap((job) => {
        const since = row[job];
        return since === null || since > now ? [] : [{ job, since }];
      });
      const late = due.filter(({ job, since }) => now - since > (LATE_AFTER_MS[job] ?? JOB_LATE_MS));
      return { due, late, failing: readJson(row.failing) };
    },

    async listMigrations(): Promise<string[]> {
      const rows = await db.all<{ name: string }>(sql`SELECT name FROM d1_migrations ORDER BY id`);
      return rows.map(({ name }) => name);
    },

    async record({ failed, working }: { failed: readonly FailedRun[]; working: readonly string[] }) {
      const statements = [
        ...failed.map((run) =>
          db
            .insert(jobFailures)
            .values({ ...run, since: run.at })
            .onConflictDoUpdate({ target: jobFailures.job, set: run }),
        ),
        ...(working.length === 0
          ? []
          : [db.delete(jobFailures).where(inArray(jobFailures.job, valuesOf(working)))]),
      ];
      if (statements.length > 0) await runBatch(db, statements);
    },

    /** The endpoints that fail since this time (unix ms) or longer. Returns each of their outages once. */
    takeEndpointAlarms: ({ now, since }: { now: number; since: number }) =>
      db
        .update(jobFailures)
        .set({ alarmedAt: now })
        .where(
          and(
            like(jobFailures.job, `${ENDPOINTS}%`),
            lte(jobFailures.since, since),
            isNull(jobFailures.alarmedAt),
          ),
        )
        .returning(),
  };
}
