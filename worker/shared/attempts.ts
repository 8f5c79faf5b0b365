import { and, eq, lte, sql } from 'drizzle-orm';
import { attempts } from '#schema/tables/attempts.ts';
import type { Clock } from '../ports/clock.ts';
import type { Database } from './database.ts';
import { deleteFirst } from './sql.ts';

export interface AttemptLimit {
  readonly burst: number;
  readonly everyMs: number;
}

export interface Attempt {
  readonly action: string;
  readonly person: string;
  readonly limit: AttemptLimit;
  readonly count?: number;
}

export type Attempts = ReturnType<typeof createAttempts>;

const PURGED_PER_RUN = 1_000;

/**
 * Limits people's attempts across all isolates. The database has one row per action and person, and each
 * attempt is one conditional statement.
 */
export function createAttempts({ db, clock }: { db: Database; clock: Clock }) {
  return {
    /** Counts an attempt and returns 0. Over the limit, returns the wait in ms and counts nothing. */
    async take({ action, person, limit: { burst, everyMs }, count = 1 }: Attempt): Promise<number> {
      const now = clock.now();
      const next = sql`MAX(${attempts.fullAt}, ${now}) + ${count * everyMs}`;
      const [taken] = await db
        .insert(attempts)
        .values({ action, person, fullAt: now + count * everyMs })
        .onConflictDoUpdate({
          target: [attempts.action, attempts.person],
          set: { fullAt: next },
          setWhere: sql`${next} <= ${now + burst * everyMs}`,
        })
        .returning({ fullAt: attempts.fullAt });
      if (taken) return 0;
      const [row] = await db
        .select({ fullAt: attempts.fullAt })
        .from(attempts)
        .where(and(eq(attempts.action, action), eq(attempts.person, person)));
      // A concurrent purge may have deleted the row.
      return Math.max(1, (row?.fullAt ?? now) - (burst - count) * everyMs - now);
    },

    async purge(): Promise<number> {
      const old = deleteFirst(attempts, lte(attempts.fullAt, clock.now()), PURGED_PER_RUN);
      const { meta } = await db.run(old);
      return meta.changes;
    },
  };
}
