import { gt, sql } from 'drizzle-orm';
import { PROVEN_Z, SPARKLINE_CALLS } from '#schema/constants.ts';
import { PROVEN_WIN_FROM } from '#schema/rules/performance.ts';
import {
  callers,
  CHANGE_UNITS,
  NO_AVG_RETURN,
  NO_FOLLOWER_RETURN,
  NO_PROVEN_RATE,
  NO_WIN_RATE,
} from '#schema/tables/callers.ts';
import type { Database } from '../../../shared/database.ts';
import type { Statement } from '../../../shared/job-leases.ts';

const sumColumns = sql`
  total_calls, ended_calls, unranked_calls, won_calls, proven_wins, change_sum, last_call_at, recent_calls`;
const rateColumns = sql`ranked_calls, win_rate, avg_return, proven_rate`;
const followerColumns = sql`
  follower_calls, follower_wins, follower_middle_ppm, follower_middle_call, follower_return`;

const zSquare = PROVEN_Z * PROVEN_Z;
const ranked = sql`(ended_calls - unranked_calls)`;
const tried = sql`(total_calls - unranked_calls)`;
const share = sql`(1.0 * proven_wins / ${tried})`;
/**
 * The formula of `provenRate` (schema/rules/performance.ts) in SQL. `proven_wins` stands for `wins`, and
 * `tried` stands for `calls`.
 */
const provenRate = sql`
  100
  * (proven_wins > 0)
  * MAX(
    0,
    ${share} + ${zSquare} / (2.0 * ${tried})
    - ${PROVEN_Z} * SQRT(${share} * (1 - ${share}) / ${tried} + ${zSquare} / (4.0 * ${tried} * ${tried})))
  / (1 + ${zSquare} / ${tried})`;

/** Computes `rateColumns` from the sums in the row. */
const rates = sql`
  ${ranked},
  iif(${ranked} = 0, ${NO_WIN_RATE}, 100.0 * won_calls / ${ranked}),
  iif(${ranked} = 0, ${NO_AVG_RETURN}, change_sum / ${CHANGE_UNITS} / ${ranked}),
  iif(${ranked} = 0, ${NO_PROVEN_RATE}, ${provenRate})`;

const changeSum = sql`TOTAL(ROUND(counted_change * ${CHANGE_UNITS}))`;
/**
 * Above 2^53 units, sums are rounded, so they depend on the order of the calls. Such a small difference is not
 * an error.
 */
const isSameSum = sql`ABS(callers.change_sum - ${changeSum}) <= 1e-10 * ABS(${changeSum})`;

/**
 * Computes the sums from all calls of a row of `callers`. The triggers on `calls` keep the
 * same sums up to date.
 */
const sums = sql`
  SELECT
    COUNT(*) AS total_calls,
    COUNT(ended_at) AS ended_calls,
    COUNT(*) FILTER (WHERE ended_at IS NOT NULL AND counted_change IS NULL) AS unranked_calls,
    COUNT(*) FILTER (WHERE counted_change > 0) AS won_calls,
    COUNT(*) FILTER (WHERE counted_change >= ${PROVEN_WIN_FROM}) AS proven_wins,
    iif(${isSameSum}, callers.change_sum, ${changeSum}) AS change_sum,
    COALESCE(MAX(ended_at), 0) AS last_call_at,
    (
      SELECT json_group_array(
        json_object('entryPrice', entry_price, 'endPrice', end_price, 'calledAt', called_at, 'endedAt', ended_at))
      FROM (
        SELECT entry_price, end_price, called_at, ended_at
        FROM calls
        WHERE caller_id = callers.caller_id AND ended_at IS NOT NULL
        ORDER BY ended_at DESC, id DESC
        LIMIT ${SPARKLINE_CALLS})
    ) AS recent_calls
  FROM calls
  WHERE caller_id = callers.caller_id`;

/** Computes `followerColumns`, which triggers keep up to date. */
const followers = sql`
  SELECT
    COUNT(*) AS follower_calls,
    COUNT(*) FILTER (WHERE return_ppm > 0) AS follower_wins,
    MAX(return_ppm) FILTER (WHERE place = (size + 1) / 2) AS follower_middle_ppm,
    MAX(call_id) FILTER (WHERE place = (size + 1) / 2) AS follower_middle_call,
    COALESCE(
      (MAX(return_ppm) FILTER (WHERE place = (size + 1) / 2) + MAX(return_ppm) FILTER (WHERE place = size / 2 + 1))
        / 20000.0,
      ${NO_FOLLOWER_RETURN}) AS follower_return
  FROM (
    SELECT return_ppm, call_id, ROW_NUMBER() OVER (ORDER BY return_ppm, call_id) AS place, COUNT(*) OVER () AS size
    FROM follower_returns
    WHERE caller_id = callers.caller_id)`;

/** All figures, computed from all calls of a row of `callers`. */
const statistics = sql`
  SELECT ${sumColumns}, ${rates}, ${followerColumns} FROM (${sums}), (${followers})`;
const allColumns = sql`${sumColumns}, ${rateColumns}, ${followerColumns}`;
const areWrong = sql`(${allColumns}) IS NOT (${statistics})`;

/**
 * Computes a caller's rates from their sums. Run it in the batch that opens or ends one of their calls. It reads no call,
 * so it costs the same for every caller.
 */
export function refreshRates(callerId: string): Statement {
  return sql`
    UPDATE callers
    SET (${rateColumns}) = (SELECT ${rates})
    WHERE caller_id = ${callerId} AND (${rateColumns}) IS NOT (SELECT ${rates})`;
}

export interface ListedCaller {
  readonly id: string;
  readonly totalCalls: number;
  readonly subscriberCount: number;
}

export type CallStatisticsRepository = ReturnType<typeof createCallStatisticsRepository>;

export function createCallStatisticsRepository(db: Database) {
  return {
    async listCallers({ after, limit }: { after: string | null; limit: number }): Promise<ListedCaller[]> {
      return db
        .select({
          id: callers.callerId,
          totalCalls: callers.totalCalls,
          subscriberCount: callers.subscriberCount,
        })
        .from(callers)
        .where(gt(callers.callerId, after ?? ''))
        .orderBy(callers.callerId)
        .limit(limit);
    },

    /** The callers among these whose statistics are wrong. */
    async listWrongStatistics(callerIds: readonly string[]): Promise<string[]> {
      const rows = await db.all<{ id: string }>(sql`
        SELECT caller_id AS id
        FROM callers
        WHERE ${areWrong} AND caller_id IN (SELECT value FROM json_each(${JSON.stringify(callerIds)}))`);
      return rows.map(({ id }) => id);
    },

    /** Corrects the statistics of these callers. Returns one row per caller whose statistics were wrong. */
    repairStatistics: (callerIds: readonly string[]): Statement => sql`
      UPDATE callers
      SET (${allColumns}) = (${statistics})
      WHERE ${areWrong} AND caller_id IN (SELECT value FROM json_each(${JSON.stringify(callerIds)}))
      RETURNING caller_id`,

    /** Deletes the stored calls of these callers. The next request for their statistics stores them again. */
    forgetEndedCalls: (callerIds: readonly string[]): Statement => sql`
      DELETE FROM caller_statistics
      WHERE caller_id IN (SELECT value FROM json_each(${JSON.stringify(callerIds)}))`,

    /** Corrects the subscriber counts of these callers. Returns one row per caller whose count was wrong. */
    repairSubscriberCounts(callerIds: readonly string[]): Statement {
      const subscribers = sql`(
        SELECT COUNT(DISTINCT subscriber_id)
        FROM subscriptions
        WHERE caller_id = callers.caller_id AND status = 'active')`;
      return sql`
        UPDATE callers
        SET subscriber_count = ${subscribers}
        WHERE subscriber_count <> ${subscribers}
          AND caller_id IN (SELECT value FROM json_each(${JSON.stringify(callerIds)}))
        RETURNING caller_id`;
    },
  };
}
