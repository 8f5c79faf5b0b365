import { gt, sql, type SQL } from 'drizzle-orm';
import { PROVEN_Z } from '#schema/constants.ts';
import { PROVEN_WIN_FROM } from '#schema/rules/performance.ts';
import { callers, NO_AVG_RETURN, NO_PROVEN_RATE, NO_WIN_RATE } from '#schema/tables/callers.ts';
import type { Database } from '../../shared/database.ts';
import type { Statement } from '../../shared/job-leases.ts';

const columns = sql`(
  total_calls, ended_calls, ranked_calls, win_rate, avg_return, proven_rate, last_call_at)`;

const zSquare = PROVEN_Z * PROVEN_Z;
const share = sql`(1.0 * proven_wins / tried)`;
/**
 * The formula of `provenRate` (schema/rules/performance.ts) in SQL: `proven_wins` is its `wins`, `tried`
 * its `calls`. NULL if `tried` is NULL.
 */
const provenRate = sql`
  100
  * (proven_wins > 0)
  * MAX(
    0,
    ${share} + ${zSquare} / (2.0 * tried)
    - ${PROVEN_Z} * SQRT(${share} * (1 - ${share}) / tried + ${zSquare} / (4.0 * tried * tried)))
  / (1 + ${zSquare} / tried)`;

/**
 * The change after `countedCall` (schema/rules/performance.ts), in SQL. NULL for an open or unranked call.
 */
const countedChange = sql`
  CASE WHEN unranked_reason IS NULL THEN change_percent * (uncounted_gain_reason IS NULL) END`;

const statistics = (callerId: SQL) => sql`
  SELECT
    total,
    ended,
    ranked,
    COALESCE(100.0 * wins / NULLIF(ranked, 0), ${NO_WIN_RATE}),
    COALESCE(avg_return, ${NO_AVG_RETURN}),
    COALESCE(${provenRate}, ${NO_PROVEN_RATE}),
    last_call_at
  FROM (
    SELECT
      COUNT(*) AS total,
      COUNT(ended_at) AS ended,
      COUNT(counted_change) AS ranked,
      COUNT(*) FILTER (WHERE counted_change > 0) AS wins,
      AVG(counted_change) AS avg_return,
      NULLIF(COUNT(counted_change), 0) + COUNT(*) FILTER (WHERE ended_at IS NULL) AS tried,
      COUNT(*) FILTER (WHERE counted_change >= ${PROVEN_WIN_FROM}) AS proven_wins,
      COALESCE(MAX(ended_at), 0) AS last_call_at
    FROM (
      SELECT ended_at, ${countedChange} AS counted_change
      FROM calls
      WHERE caller_id = ${callerId}))`;

/** Recomputes a caller's statistics. Run it in the batch that changes their calls. */
export function refreshStatistics(callerId: string): Statement {
  return sql`
    UPDATE callers
    SET ${columns} = (${statistics(sql`${callerId}`)})
    WHERE caller_id = ${callerId}`;
}

export type CallStatisticsRepository = ReturnType<typeof createCallStatisticsRepository>;

export function createCallStatisticsRepository(db: Database) {
  return {
    async listCallerIds({ after, limit }: { after: string | null; limit: number }): Promise<string[]> {
      const rows = await db
        .select({ id: callers.callerId })
        .from(callers)
        .where(gt(callers.callerId, after ?? ''))
        .orderBy(callers.callerId)
        .limit(limit);
      return rows.map(({ id }) => id);
    },

    /** Corrects the statistics of these callers. Returns one row per caller whose statistics were wrong. */
    repairStatistics(callerIds: readonly string[]): Statement {
      return sql`
        UPDATE callers
        SET ${columns} = (${statistics(sql`callers.caller_id`)})
        WHERE ${columns} IS NOT (${statistics(sql`callers.caller_id`)})
          AND caller_id IN (SELECT value FROM json_each(${JSON.stringify(callerIds)}))
        RETURNING caller_id`;
    },
  };
}
