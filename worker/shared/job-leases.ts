import { sql, type SQLWrapper } from 'drizzle-orm';
import { JOB_LEASE_MS } from '#schema/constants.ts';
import type { Clock } from '../ports/clock.ts';
import { runBatch, type Database } from './database.ts';
import { createId } from './ids.ts';

/** A statement that a repository has written and that somebody else runs. */
export type Statement = SQLWrapper;

/** Another run took the job over: whoever catches this writes nothing any more. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError';

  constructor(job: string, cause?: unknown) {
    super(`Another run has taken ${job} over`, { cause });
  }
}

/** A run's right to do a job, for `JOB_LEASE_MS` after each sign of life. */
export interface Lease {
  /** Where the run before stopped; null to begin anew. */
  readonly cursor: string | null;
  /** A sign of life; asks the database when the last one is a third of the lease old. @throws LeaseLostError */
  keep(): Promise<void>;
  /**
   * Runs statements as one transaction, and moves the cursor in it, if the lease is still ours; else none of them.
   * @returns each statement's rows.
   * @throws LeaseLostError
   */
  commit(work: {
    statements?: readonly Statement[];
    cursor: string | null;
  }): Promise<Record<string, unknown>[][]>;
}

/** How long a run may do anything without `keep`. */
export const LEASE_SIGN_MS = Math.floor(JOB_LEASE_MS / 3);

export type JobLeases = ReturnType<typeof createJobLeases>;

/** Lets one run at a time do a job. A run that dies is followed by another one as soon as its lease has passed. */
export function createJobLeases({ db, clock }: { db: Database; clock: Clock }) {
  const take = async ({
    job,
    holder,
    now,
  }: {
    job: string;
    holder: string;
    now: number;
  }): Promise<{ cursor: string | null } | undefined> => {
    const [row] = await db.all<{ cursor: string | null }>(sql`
      INSERT INTO job_leases (job, holder, expires_at) VALUES (${job}, ${holder}, ${now + JOB_LEASE_MS})
      ON CONFLICT (job) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at WHERE holder IS NULL OR expires_at <= ${now}
      RETURNING cursor`);
    return row;
  };

  const openLease = ({
    job,
    holder,
    cursor,
    takenAt,
  }: {
    job: string;
    holder: string;
    cursor: string | null;
    takenAt: number;
  }): Lease => {
    let lastSign = takenAt;
    return {
      cursor,

      async keep() {
        const now = clock.now();
        if (now - lastSign < LEASE_SIGN_MS) return;
        const kept = await db.all(
          sql`UPDATE job_leases SET expires_at = ${now + JOB_LEASE_MS} WHERE job = ${job} AND holder = ${holder} RETURNING job`,
        );
        if (kept.length === 0) throw new LeaseLostError(job);
        lastSign = now;
      },

      async commit({ statements = [], cursor: next }) {
        const now = clock.now();
        // Of a lease that is not ours the column, which is NOT NULL, gets NULL: that rolls all of the batch back.
        const sign = sql`UPDATE job_leases SET cursor = ${next}, expires_at = CASE WHEN holder = ${holder} THEN ${now + JOB_LEASE_MS} END WHERE job = ${job}`;
        try {
          const [, ...rows] = await runBatch(db, [sign, ...statements]);
          lastSign = now;
          return rows;
        } catch (error) {
          throw String(error).includes('job_leases.expires_at') ? new LeaseLostError(job, error) : error;
        }
      },
    };
  };

  return {
    /** Does the job under its lease. Gives null where another run is at it. @throws what `work` throws */
    async run<Result>({
      job,
      work,
    }: {
      job: string;
      work: (lease: Lease) => Promise<Result>;
    }): Promise<Result | null> {
      const holder = createId();
      const takenAt = clock.now();
      const taken = await take({ job, holder, now: takenAt });
      if (!taken) return null;
      try {
        return await work(openLease({ job, holder, cursor: taken.cursor, takenAt }));
      } finally {
        await db.run(
          sql`UPDATE job_leases SET holder = NULL, expires_at = 0 WHERE job = ${job} AND holder = ${holder}`,
        );
      }
    },
  };
}
