import { and, asc, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import { LOG_ANCHOR_MAX_MS } from '#schema/constants/log.ts';
import { logAnchors } from '#schema/tables/log-anchors.ts';
import { logCheckpoints } from '#schema/tables/log.ts';
import type { Database } from '../../shared/database.ts';
import { insertWhere } from '../../shared/rows.ts';

export type Anchor = typeof logAnchors.$inferSelect;
export function createAnchorsRepository(db: Database) {
  /** Only the newest live anchor can be unfinalized, so the two newest include the newest finalized one. */
  const newestLive = () =>
    db
      .select()
      .from(logAnchors)
      .where(isNull(logAnchors.deadAt))
      .orderBy(desc(logAnchors.size), desc(logAnchors.createdAt))
      .limit(2);
  const checkpoints = () => db.select().from(logCheckpoints).limit(1);

  return {
    async readState() {
      const live = await newestLive();
      const finalized = live.find(({ finalizedAt }) => finalizedAt !== null);
      const [newest = null] = await checkpoints().orderBy(desc(logCheckpoints.size));
      const [uncovered] = await checkpoints()
        .where(gt(logCheckpoints.size, finalized?.size ?? 0))
        .orderBy(asc(logCheckpoints.size));
      return {
        open: live.find(({ finalizedAt }) => finalizedAt === null) ?? null,
        newest,
        uncoveredSince: uncovered?.at ?? null,
      };
    },

    /**
     * Stores an anchor before it's sent. Returns false if another anchor is open, covers more entries, or covers as
     * many in the same LOG_ANCHOR_MAX_MS.
     */
    async insert(anchor: Omit<Anchor, 'finalizedAt' | 'blockTime' | 'deadAt'>): Promise<boolean> {
      const repeatedFrom = anchor.createdAt - (anchor.createdAt % LOG_ANCHOR_MAX_MS);
      const isNext = sql`NOT EXISTS (
        SELECT 1 FROM (${newestLive()})
        WHERE finalized_at IS NULL
          OR size > ${anchor.size}
          OR (size = ${anchor.size} AND created_at >= ${repeatedFrom}))`;
      const stored = await db.all(sql`${insertWhere(logAnchors, anchor, isNext)} RETURNING size`);
      return stored.length === 1;
    },

    end: (signature: string, end: { finalizedAt: number; blockTime: number } | { deadAt: number }) =>
      db
        .update(logAnchors)
        .set({ ...end, signedBytes: null })
        .where(
          and(eq(logAnchors.signature, signature), isNull(logAnchors.finalizedAt), isNull(logAnchors.deadAt)),
        ),
  };
}
