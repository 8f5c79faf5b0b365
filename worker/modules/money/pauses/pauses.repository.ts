import { and, eq, sql, type SQL } from 'drizzle-orm';
import { PAUSABLE } from '#schema/constants/running.ts';
import type { Pausable } from '#schema/contracts/pauses.ts';
import { pauses } from '#schema/tables/operators.ts';
import type { Database } from '../../../shared/database.ts';
import type { ActionRequest, ActionRule } from '../../log/operator-acts.repository.ts';
import { insertWhere } from '../../../shared/rows.ts';
import { build, hasNoRow, hasRow } from '../../../shared/sql.ts';

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

const isPausable = ({ subjectId }: ActionRequest) =>
  PAUSABLE.some((kind) => kind === subjectId) ? sql`1` : sql`0`;
const isPauseOf = ({ subjectId }: ActionRequest) => eq(pauses.kind, sql`${subjectId}`);

export const PAUSE: ActionRule = {
  exists: isPausable,
  applies: (request) => hasNoRow(pauses, isPauseOf(request)),
  statements: ({ subjectId, reason, now: at, isRecorded }) => [
    insertWhere(pauses, { kind: sql`${subjectId}`, reason, at }, isRecorded),
  ],
};

export const RESUME: ActionRule = {
  exists: isPausable,
  applies: (request) => hasRow(pauses, isPauseOf(request)),
  statements: ({ isRecorded, ...request }) => [
    build.delete(pauses).where(and(isPauseOf(request), isRecorded)),
  ],
};
