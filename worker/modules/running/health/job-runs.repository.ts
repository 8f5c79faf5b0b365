import { sql } from 'drizzle-orm';
import { jobRuns } from '#schema/tables/job-runs.ts';
import { runBatch, type Database } from '../../../shared/database.ts';

/** A finished run of a job. */
export type JobRun = Omit<typeof jobRuns.$inferSelect, 'failingSince'>;

export type JobRunsRepository = ReturnType<typeof createJobRunsRepository>;

/** The last run of each job, about twenty rows. */
export function createJobRunsRepository(db: Database) {
  const upsert = (run: JobRun) => {
    const failingSince = run.error === null ? null : run.startedAt;
    return db
      .insert(jobRuns)
      .values({ ...run, failingSince })
      .onConflictDoUpdate({
        target: jobRuns.job,
        set: {
          ...run,
          failingSince:
            failingSince === null ? null : sql`COALESCE(${jobRuns.failingSince}, ${failingSince})`,
        },
      });
  };
  return {
    /** Stores the runs in one request. */
    async record(runs: readonly JobRun[]): Promise<void> {
      await runBatch(db, runs.map(upsert));
    },

    list: () => db.select().from(jobRuns),
  };
}
