import { eq, sql, type SQL } from 'drizzle-orm';
import type { Pausable } from '#schema/contracts/pauses.ts';
import { pauses } from '#schema/tables/operators.ts';
import type { Database } from '../../../shared/database.ts';
import { hasNoRow } from '../../../shared/sql.ts';

export const isNotPaused = (kind: Pausable): SQL => hasNoRow(pauses, eq(pauses.kind, kind));

/** SQL condition: operators hadn't paused this at that time (unix ms), whatever they did later. */
export const wasNotPausedAt = (kind: Pausable, at: number): SQL => sql`(
  SELECT action FROM operator_audit
  WHERE subject_id = ${kind} AND action IN ('pause', 'resume') AND at <= ${at}
  ORDER BY seq DESC
  LIMIT 1) IS NOT 'pause'`;

export const createPausesRepository = (db: Database) => ({
  list: () => db.select().from(pauses),

  async find(kind: Pausable) {
    const [row] = await db.select().from(pauses).where(eq(pauses.kind, kind));
    return row ?? null;
  },
});
