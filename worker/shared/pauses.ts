import { eq, sql, type SQL } from 'drizzle-orm';
import type { Pausable, Pause } from '#schema/contracts/pauses.ts';
import { pauses } from '#schema/tables/operators.ts';
import { AppError } from '../app/errors.ts';
import type { Database } from './database.ts';
import { hasNoRow } from './sql.ts';

export type Pauses = ReturnType<typeof createPauses>;

export const isNotPaused = (kind: Pausable): SQL => hasNoRow(pauses, eq(pauses.kind, kind));

/** SQL condition: operators hadn't paused this at that time (unix ms), whatever they did later. */
export const wasNotPausedAt = (kind: Pausable, at: number): SQL => sql`(
  SELECT action FROM operator_audit
  WHERE subject_id = ${kind} AND action IN ('pause', 'resume') AND at <= ${at}
  ORDER BY seq DESC
  LIMIT 1) IS NOT 'pause'`;

const ERRORS = {
  payments: {
    code: 'payments.paused',
    what: 'New payments are paused, so nothing was charged. A payment that you have already sent still counts.',
  },
  calls: {
    code: 'calls.paused',
    what: 'New calls are paused, so this call was not made. You can still update and end your active calls.',
  },
  posting: { code: 'shares.paused', what: 'Posting is paused, so nothing was posted on X.' },
} as const satisfies Record<Pausable, object>;

export function createPauses(db: Database) {
  const find = async (kind: Pausable) => {
    const [row] = await db.select().from(pauses).where(eq(pauses.kind, kind));
    return row ?? null;
  };
  return {
    async list(): Promise<Pause[]> {
      const rows = await db.select().from(pauses);
      // Sorted here, because ORDER BY reads a row more on every page, even of an empty table.
      const oldestFirst = rows.toSorted((one, other) => one.at - other.at);
      return oldestFirst.map(({ kind, reason, at }) => ({ kind, reason, since: new Date(at).toISOString() }));
    },

    isPaused: async (kind: Pausable) => (await find(kind)) !== null,

    /** @throws payments.paused, calls.paused, shares.paused */
    async assertRunning(kind: Pausable): Promise<void> {
      const pause = await find(kind);
      if (!pause) return;
      const { code, what } = ERRORS[kind];
      const { reason } = pause;
      throw new AppError({
        code,
        message: `${what} Reason: “${reason}” Try again later.`,
        details: { reason },
      });
    },
  };
}
