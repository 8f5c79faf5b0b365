import { and, desc, eq, gte, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { SITEMAP_MAX_URLS } from '#schema/constants/public.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { calledTokens } from '#schema/tables/called-tokens.ts';
import { callers } from '#schema/tables/callers.ts';
import { calls } from '#schema/tables/calls.ts';
import { users } from '#schema/tables/users.ts';
import { isOfVisibleCaller } from '../../money/callers/caller-standing.ts';
import type { Database } from '../../../shared/database.ts';

const isListed = and(eq(users.isSuspended, false), eq(users.isHidden, false), isNull(users.leftAt));

/** Lists public pages for search engines. Every query uses an index; times are unix ms. */
export function createSitemapRepository(db: Database) {
  return {
    /** Returns when the last call of each UTC day ended, newest first. Reads one index entry per day. */
    async listDaysOfEnds(limit: number): Promise<number[]> {
      const rows = await db.all<{ ended_at: number }>(sql`
        WITH RECURSIVE newest(ended_at) AS (
          SELECT (SELECT ended_at FROM calls WHERE ended_at IS NOT NULL ORDER BY ended_at DESC LIMIT 1)
          UNION ALL
          SELECT (
            SELECT older.ended_at
            FROM calls older
            WHERE older.ended_at IS NOT NULL
              AND older.ended_at < newest.ended_at - newest.ended_at % ${DAY_MS}
            ORDER BY older.ended_at DESC
            LIMIT 1)
          FROM newest
          WHERE newest.ended_at IS NOT NULL
        )
        SELECT ended_at
        FROM newest
        WHERE ended_at IS NOT NULL
        LIMIT ${limit}`);
      return rows.map(({ ended_at }) => ended_at);
    },

    /** The first by average return, if there are more than SITEMAP_MAX_URLS. */
    async listCallers() {
      return db
        .select({
          id: callers.callerId,
          twitterHandle: users.twitterHandle,
          // The time when the newest ended call ended or, if there is none, when the user became a caller.
          changedAt: sql<number>`iif(${callers.lastCallAt} = 0, ${callers.createdAt}, ${callers.lastCallAt})`,
        })
        .from(callers)
        .innerJoin(users, eq(users.id, callers.callerId))
        .where(isListed)
        .orderBy(desc(callers.isLeading), desc(callers.avgReturn), desc(callers.callerId))
        .limit(SITEMAP_MAX_URLS);
    },

    /** The newest, if there are more than SITEMAP_MAX_URLS. */
    async listTokens() {
      return db
        .select({ mint: calledTokens.mint })
        .from(calledTokens)
        .innerJoin(calls, eq(calls.id, calledTokens.callId))
        .innerJoin(users, and(eq(users.id, calls.callerId), eq(users.isHidden, false)))
        .orderBy(sql`${calledTokens}.rowid DESC`)
        .limit(SITEMAP_MAX_URLS);
    },

    async listEndedCalls({ from, until }: { from: number; until: number }) {
      return db
        .select({ id: calls.id, endedAt: sql<number>`${calls.endedAt}` })
        .from(calls)
        .where(
          and(
            isNotNull(calls.endedAt),
            gte(calls.endedAt, from),
            lt(calls.endedAt, until),
            isOfVisibleCaller,
          ),
        )
        .orderBy(desc(calls.endedAt), desc(calls.id))
        .limit(SITEMAP_MAX_URLS);
    },
  };
}
