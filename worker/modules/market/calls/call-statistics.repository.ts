import { eq, gt, isNotNull, sql, type SQL } from 'drizzle-orm';
import { ACTIVE_CALLER_MS, MAX_FOLLOWER_RESULT_PERCENT, SPARKLINE_CALLS } from '#schema/constants/market.ts';
import { callers, CHANGE_UNITS, NO_AVG_RETURN, NO_WIN_RATE } from '#schema/tables/callers.ts';
import { calls } from '#schema/tables/calls.ts';
import { callEvents } from '#schema/tables/notifications.ts';
import type { Database } from '../../../shared/database.ts';
import { endedEventId } from './call-event-ids.ts';
import { copyUsersToCallers } from '../../money/callers/caller-copies.repository.ts';
import type { Statement } from '../../../shared/job-leases.ts';
import { valuesOf } from '../../../shared/rows.ts';
import { hasNoRow, hasRow } from '../../../shared/sql.ts';
import { countSubscribers, subscriberCounts } from '../../money/subscriptions/subscribers.repository.ts';
import { addActiveMints, addCalledTokens } from './call-effects.repository.ts';

const sumColumns = sql`
  total_calls, ended_calls, measured_calls, unranked_calls, micro_cap_calls, won_calls, change_sum, last_call_at, last_ranked_at,
  active_until, recent_calls`;
const rateColumns = sql`ranked_calls, win_rate, avg_return`;
const ranked = '(ended_calls - unranked_calls)';

const rates = sql.raw(`
  ${ranked},
  iif(${ranked} = 0, ${NO_WIN_RATE}, 100.0 * won_calls / ${ranked}),
  iif(${ranked} = 0, ${NO_AVG_RETURN}, change_sum / ${CHANGE_UNITS} / ${ranked})`);

/**
 * The sums over the calls that meet a condition. The change of each call is rounded, so that the sum doesn't depend on the
 * order of the calls.
 */
const sumsOf = (which: SQL) => sql`
  SELECT
    COUNT(*) AS total_calls,
    COUNT(ended_at) AS ended_calls,
    COUNT(follower_rule) AS measured_calls,
    COUNT(*) FILTER (WHERE ended_at IS NOT NULL AND counted_change IS NULL) AS unranked_calls,
    COUNT(*) FILTER (WHERE ended_at IS NOT NULL AND unranked_reason = 'micro_cap') AS micro_cap_calls,
    COUNT(*) FILTER (WHERE counted_change > 0) AS won_calls,
    TOTAL(ROUND(MIN(counted_change, ${MAX_FOLLOWER_RESULT_PERCENT}) * ${CHANGE_UNITS})) AS change_sum,
    COALESCE(MAX(ended_at), 0) AS last_call_at,
    COALESCE(MAX(ended_at) FILTER (WHERE counted_change IS NOT NULL), 0) AS last_ranked_at,
    COALESCE(${ACTIVE_CALLER_MS} + MAX(iif(automatic_end IS NULL, COALESCE(ended_at, called_at), called_at))
      FILTER (WHERE unranked_reason IS NULL), 0) AS active_until
  FROM calls
  WHERE ${which}`;

const recentCalls = sql`(
  SELECT json_group_array(
    json_object('entryPrice', entry_price, 'endPrice', end_price, 'calledAt', called_at, 'endedAt', ended_at))
  FROM (
    SELECT entry_price, end_price, called_at, ended_at
    FROM calls
    WHERE caller_id = callers.caller_id AND ended_at IS NOT NULL
    ORDER BY ended_at DESC, id DESC
    LIMIT ${SPARKLINE_CALLS}))`;

/** Computes `allColumns` from all calls of a row of `callers`. */
const statistics = sql`
  SELECT total_calls, ended_calls, measured_calls, unranked_calls, micro_cap_calls, won_calls, change_sum, last_call_at, last_ranked_at,
    active_until, ${recentCalls}, ${rates}
  FROM (${sumsOf(sql`caller_id = callers.caller_id`)})`;
const allColumns = sql`${sumColumns}, ${rateColumns}`;
const areWrong = sql`(${allColumns}) IS NOT (${statistics})`;

interface CountedCall {
  readonly id: string;
  readonly callerId: string;
}

/** Adds a new call to the caller's sums, if it was inserted. Run it in the batch that inserts the call, after it. */
export const addOpening = ({ id, callerId }: CountedCall): Statement => sql`
  UPDATE callers
  SET (total_calls, active_until) = (
    SELECT callers.total_calls + 1, MAX(callers.active_until, n.active_until) FROM (${sumsOf(sql`id = ${id}`)}) n)
  WHERE caller_id = ${callerId} AND ${hasRow(calls, eq(calls.id, id))}`;

/** Adds an ended call to the caller's sums, unless its end has an event. */
export const addEnd = ({ id, callerId }: CountedCall): Statement => sql`
  UPDATE callers
  SET (ended_calls, unranked_calls, micro_cap_calls, won_calls, change_sum, last_call_at, last_ranked_at, active_until, recent_calls) = (
    SELECT callers.ended_calls + n.ended_calls, callers.unranked_calls + n.unranked_calls,
      callers.micro_cap_calls + n.micro_cap_calls,
      callers.won_calls + n.won_calls, callers.change_sum + n.change_sum,
      MAX(callers.last_call_at, n.last_call_at), MAX(callers.last_ranked_at, n.last_ranked_at),
      MAX(callers.active_until, n.active_until), ${recentCalls}
    FROM (${sumsOf(sql`id = ${id}`)}) n)
  WHERE caller_id = ${callerId}
    AND ${hasRow(calls, eq(calls.id, id), isNotNull(calls.endedAt))}
    AND ${hasNoRow(callEvents, eq(callEvents.id, endedEventId(id)))}`;

/**
 * Adds an ended call to the caller's sums and computes the rates. Run it in the batch that ends the call, between the end
 * and its event: a call whose end has an event has been counted.
 */
export const countEnd = (call: CountedCall): Statement[] => [addEnd(call), refreshRates(call.callerId)];

/** Computes a caller's rates from their sums. It reads no call, so it costs the same for every caller. */
function refreshRates(callerId: string): Statement {
  return sql`
    UPDATE callers
    SET (${rateColumns}) = (SELECT ${rates})
    WHERE caller_id = ${callerId} AND (${rateColumns}) IS NOT (SELECT ${rates})`;
}

/** Makes callers active whose time hasn't passed. */
export const activate = (callerIds: readonly string[], now: number): Statement => sql`
  UPDATE callers SET is_active = 1
  WHERE caller_id IN ${valuesOf(callerIds)} AND is_active = 0 AND active_until > ${now}
  RETURNING caller_id`;

export interface ListedCaller {
  readonly id: string;
  readonly totalCalls: number;
  readonly subscriberCount: number;
}

export function createCallStatisticsRepository(db: Database) {
  return {
    async listCallers({ after, limit }: { after: string; limit: number }): Promise<ListedCaller[]> {
      return db
        .select({
          id: callers.callerId,
          totalCalls: callers.totalCalls,
          subscriberCount: callers.subscriberCount,
        })
        .from(callers)
        .where(gt(callers.callerId, after))
        .orderBy(callers.callerId)
        .limit(limit);
    },

    /** Ends the activity of callers whose time has passed, the oldest first. */
    async endActivity({ now, limit }: { now: number; limit: number }): Promise<number> {
      const ended = await db.all(sql`
        UPDATE callers SET is_active = 0
        WHERE caller_id IN (
          SELECT caller_id FROM callers INDEXED BY callers_active
          WHERE is_active = 1 AND active_until <= ${now}
          ORDER BY active_until
          LIMIT ${limit})
        RETURNING caller_id`);
      return ended.length;
    },

    async listWrongStatistics(callerIds: readonly string[]): Promise<string[]> {
      const rows = await db.all<{ id: string }>(sql`
        SELECT caller_id AS id
        FROM callers
        WHERE ${areWrong} AND caller_id IN ${valuesOf(callerIds)}`);
      return rows.map(({ id }) => id);
    },

    /** Corrects the copies of these callers' users (one row per wrong copy), and adds missing tokens of their calls. */
    repairCopies(callerIds: readonly string[]): Statement[] {
      const areTheirs = sql`caller_id IN ${valuesOf(callerIds)}`;
      return [copyUsersToCallers(valuesOf(callerIds)), addActiveMints(areTheirs), addCalledTokens(areTheirs)];
    },
  };
}

export const repairStatistics = (callerIds: readonly string[]): Statement => sql`
  UPDATE callers
  SET (${allColumns}) = (${statistics})
  WHERE ${areWrong} AND caller_id IN ${valuesOf(callerIds)}
  RETURNING caller_id`;

export const repairSubscriberCounts = (callerIds: readonly string[]): Statement => sql`
  UPDATE callers
  SET (${subscriberCounts}) = ${countSubscribers}
  WHERE (${subscriberCounts}) IS NOT ${countSubscribers}
    AND caller_id IN ${valuesOf(callerIds)}
  RETURNING caller_id`;
