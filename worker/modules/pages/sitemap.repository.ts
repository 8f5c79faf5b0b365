import { sql } from 'drizzle-orm';
import { DAY_MS, SITEMAP_MAX_URLS } from '#schema/constants.ts';
import { carriesHandle } from '../../shared/caller-summary.ts';
import type { Database } from '../../shared/database.ts';

/** Ids from one on and before another. */
export interface IdRange {
  readonly from: string;
  readonly until: string;
}

export interface SitemapCallerRow {
  readonly id: string;
  readonly twitter_handle: string;
  readonly carries_handle: number;
  /** When their newest ended call ended, else when they began. */
  readonly changed_at: number;
}

export interface SitemapCallRow {
  readonly id: string;
  readonly ended_at: number;
}

export type SitemapRepository = ReturnType<typeof createSitemapRepository>;

/** What searches may find. Each is read along an index; times are unix ms. */
export function createSitemapRepository(db: Database) {
  return {
    /** The newest end of each UTC day on which calls ended, newest first: one step of the index a day. */
    async listDaysOfEnds(limit: number): Promise<number[]> {
      const rows = await db.all<{ ended_at: number }>(sql`
        WITH RECURSIVE newest(ended_at) AS (
          SELECT (SELECT ended_at FROM calls WHERE ended_at IS NOT NULL ORDER BY ended_at DESC LIMIT 1)
          UNION ALL
          SELECT (SELECT older.ended_at FROM calls older
                  WHERE older.ended_at IS NOT NULL AND older.ended_at < newest.ended_at - newest.ended_at % ${DAY_MS}
                  ORDER BY older.ended_at DESC LIMIT 1)
          FROM newest WHERE newest.ended_at IS NOT NULL
        )
        SELECT ended_at FROM newest WHERE ended_at IS NOT NULL LIMIT ${limit}`);
      return rows.map(({ ended_at }) => ended_at);
    },

    /** Which of these ranges hold callers. */
    async listFilledRanges(ranges: readonly IdRange[]): Promise<IdRange[]> {
      return db.all<IdRange>(sql`
        SELECT value ->> '$.from' AS "from", value ->> '$.until' AS "until" FROM json_each(${JSON.stringify(ranges)}) AS asked
        WHERE EXISTS (SELECT 1 FROM callers WHERE caller_id >= asked.value ->> '$.from' AND caller_id < asked.value ->> '$.until')`);
    },

    async listCallers({ from, until }: IdRange): Promise<SitemapCallerRow[]> {
      return db.all<SitemapCallerRow>(sql`
        SELECT c.caller_id AS id, u.twitter_handle, ${carriesHandle} AS carries_handle, CASE c.last_call_at WHEN 0 THEN c.created_at ELSE c.last_call_at END AS changed_at
        FROM callers c JOIN users u ON u.id = c.caller_id
        WHERE c.caller_id >= ${from} AND c.caller_id < ${until}
        ORDER BY c.caller_id LIMIT ${SITEMAP_MAX_URLS}`);
    },

    /** The calls that ended from one moment on and before another, newest first. */
    async listEndedCalls({ from, until }: { from: number; until: number }): Promise<SitemapCallRow[]> {
      return db.all<SitemapCallRow>(sql`
        SELECT id, ended_at FROM calls WHERE ended_at IS NOT NULL AND ended_at >= ${from} AND ended_at < ${until}
        ORDER BY ended_at DESC, id DESC LIMIT ${SITEMAP_MAX_URLS}`);
    },
  };
}
