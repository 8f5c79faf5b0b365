import { and, eq, isNull, lte, sql, type SQLWrapper } from 'drizzle-orm';
import { SECOND_MS } from '#schema/constants/time.ts';
import { jobLeases } from '#schema/tables/job-leases.ts';
import type { Clock } from '../ports/clock.ts';
import { runBatch, type Database } from './database.ts';
import { createId } from './ids.ts';
import { anyOf } from './sql.ts';

/** A job's run loses its lease if it doesn't renew it for this long. */
export const JOB_LEASE_MS = 30 * SECOND_MS;

export type Statement = SQLWrapper;

export class LeaseLostError extends Error {
  override name = 'LeaseLostError';

  constructor(job: string, cause?: unknown) {
    super(`Another run has taken the lease of ${job}`, { cause });
  }
}

/** The right to run a job. It lasts `JOB_LEASE_MS` after each renewal. */
export type Lease = ReturnType<typeof openLease>;

/** The time between renewals. A run must call `save` at least this often. */
export const LEASE_RENEWAL_MS = Math.floor(JOB_LEASE_MS / 3);

interface LeaseOptions {
  readonly db: Database;
  readonly clock: Clock;
}

interface TakenLease {
  readonly job: string;
  readonly holder: string;
  readonly cursor: string | null;
  readonly takenAt: number;
}

interface Commit {
  readonly statements?: readonly Statement[];
  readonly cursor: string | null;
}

/** Lets only one run of a job work at a time. If a run dies, the next one can start when the lease has expired. */
export function createJobLeases({ db, clock }: LeaseOptions) {
  return {
    /** Runs `work` under the lease of the job. @returns `null` if another run holds it. @throws what `work` throws */
    async run<Result>({
      job,
      work,
    }: {
      job: string;
      work: (lease: Lease) => Promise<Result>;
    }): Promise<Result | null> {
      const lease = await takeLease({ db, clock }, job);
      if (!lease) return null;
      try {
        return await work(openLease({ db, clock }, lease));
      } finally {
        await db.update(jobLeases).set({ holder: null, expiresAt: 0 }).where(isHeld(lease));
      }
    },
  };
}

const isHeld = ({ job, holder }: TakenLease) => and(eq(jobLeases.job, job), eq(jobLeases.holder, holder));

async function takeLease({ db, clock }: LeaseOptions, job: string): Promise<TakenLease | null> {
  const holder = createId();
  const takenAt = clock.now();
  const expiresAt = takenAt + JOB_LEASE_MS;
  const [row] = await db
    .insert(jobLeases)
    .values({ job, holder, expiresAt })
    .onConflictDoUpdate({
      target: jobLeases.job,
      set: { holder, expiresAt },
      setWhere: anyOf(isNull(jobLeases.holder), lte(jobLeases.expiresAt, takenAt)),
    })
    .returning({ cursor: jobLeases.cursor });
  return row ? { job, holder, cursor: row.cursor, takenAt } : null;
}

function openLease({ db, clock }: LeaseOptions, lease: TakenLease) {
  const { job, holder, cursor, takenAt } = lease;
  let renewedAt = takenAt;
  return {
    /** The position where the previous run stopped; `null` to start from the beginning. */
    cursor,

    /** Renews the lease if `LEASE_RENEWAL_MS` have passed. @throws LeaseLostError */
    async save(): Promise<void> {
      const now = clock.now();
      if (now - renewedAt < LEASE_RENEWAL_MS) return;
      const saved = await db
        .update(jobLeases)
        .set({ expiresAt: now + JOB_LEASE_MS })
        .where(isHeld(lease))
        .returning({ job: jobLeases.job });
      if (saved.length === 0) throw new LeaseLostError(job);
      renewedAt = now;
    },

    /**
     * Runs the statements and moves the cursor in one transaction. Requires that this run still holds the lease.
     * @returns each statement's rows
     * @throws LeaseLostError
     */
    async commit({ statements = [], cursor: next }: Commit): Promise<Record<string, unknown>[][]> {
      const now = clock.now();
      // If the lease isn't ours, this writes NULL into a NOT NULL column, which rolls the batch back.
      const renewal = sql`
        UPDATE job_leases SET
          cursor = ${next},
          expires_at = CASE WHEN holder = ${holder} THEN ${now + JOB_LEASE_MS} END
        WHERE job = ${job}`;
      try {
        const [, ...rows] = await runBatch(db, [renewal, ...statements]);
        renewedAt = now;
        return rows;
      } catch (error) {
        throw String(error).includes('job_leases.expires_at') ? new LeaseLostError(job, error) : error;
      }
    },
  };
}
