import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { PROVEN_CALLS } from '#schema/constants/market.ts';
import { copiedSums, type CopiedRecord } from '#schema/rules/calls/after-fee.ts';
import { followerFigures, type FollowerFigures } from '#schema/rules/calls/follower-figures.ts';
import type { FollowedCall, FollowerRule } from '#schema/rules/calls/follower-return.ts';
import { NO_FOLLOWER_RETURN, NO_PROVEN } from '#schema/tables/callers.ts';
import { calls } from '#schema/tables/calls.ts';
import { paperFollows } from '#schema/tables/paper-follows.ts';
import { readJson, type JsonText } from '#schema/rules/typed-json.ts';
import { keysOf } from '#schema/rules/typed-keys.ts';
import { afterFeeOrder } from '../../money/callers/after-fee.repository.ts';
import type { Database } from '../../../shared/database.ts';
import type { Statement } from '../../../shared/job-leases.ts';
import { recordEach } from '../../log/facts.repository.ts';
import { markedEvent, type LoggedMark } from '../../log/log-entries.ts';
import { appendLogEntries, entryMember, markOf } from '../../log/log-entries.repository.ts';
import { oldestOpenAt } from './open-calls.repository.ts';
import { valuesOf } from '../../../shared/rows.ts';
import { hasRow } from '../../../shared/sql.ts';

/** The figures as `callers` stores them: with NO_FOLLOWER_RETURN and NO_PROVEN instead of null. */
type StoredFigures = { readonly [Name in keyof FollowerFigures]: number } & {
  /** JSON. */
  readonly copiedSums: string;
};

/** A caller's newest recorded results, as `followerFigures` and `copiedSums` need them. */
export interface CallerResults extends StoredFigures {
  readonly callerId: string;
  /** Both counts grow with each end and each record, so they tell whether the results are still the newest. */
  readonly endedCalls: number;
  readonly measuredCalls: number;
  readonly oldestOpenAt: number | null;
  /** Newest end first. */
  readonly results: readonly StoredResult[];
}

export interface StoredResult extends CopiedRecord {
  readonly id: string;
}

export interface UnrecordedCall
  extends Omit<FollowedCall, 'open' | 'end'>, Omit<StoredResult, keyof CallResult> {
  readonly callerId: string;
  readonly isRanked: boolean;
  readonly open: LoggedMark | null;
  readonly end: LoggedMark | null;
}

/** A result as the call's row keeps it. */
type CallResult = Pick<CopiedRecord, 'ppm' | 'solPpm' | 'copied'>;

export interface RecordedCall extends UnrecordedCall, CallResult {
  readonly rule: FollowerRule;
}

interface ResultsQuery {
  readonly callerIds: readonly string[];
  /** A call that is about to end, so it doesn't count as open. */
  readonly endingId?: string;
}

export function createFollowerResultsRepository(db: Database) {
  return {
    /** Reads at most PROVEN_CALLS + 3 rows for each caller. */
    async readResults({ callerIds, endingId = '' }: ResultsQuery): Promise<CallerResults[]> {
      const rows = await db.all<ResultsRow>(sql`
        SELECT caller_id AS callerId, ended_calls AS endedCalls, measured_calls AS measuredCalls,
          follower_calls AS calls, calls_without_result AS callsWithoutResult, follower_return AS followerReturn,
          proven, proven_results AS provenResults, proven_tokens AS provenTokens, proven_bets AS provenBets,
          copied_sums AS copiedSums,
          ${oldestOpenAt(sql`callers.caller_id`, endingId)} AS oldestOpenAt,
          (SELECT json_group_array(json_object(
              'endedAt', ended_at, 'id', id, 'mint', token_mint, 'calledAt', called_at, 'ppm', follower_ppm,
              'solPpm', sol_ppm, 'copied', json(copied), 'isLate', json(iif(is_late, 'true', 'false'))))
            FROM (
              SELECT ended_at, id, token_mint, called_at, follower_ppm, sol_ppm, copied, is_late
              FROM calls k INDEXED BY calls_results
              WHERE k.caller_id = callers.caller_id AND follower_rule IS NOT NULL AND unranked_reason IS NULL
              ORDER BY ended_at DESC, id DESC
              LIMIT ${PROVEN_CALLS})) AS results
        FROM callers
        WHERE caller_id IN ${valuesOf(callerIds)}`);
      return rows.map(({ results, ...row }) => ({ ...row, results: readJson(results) }));
    },

    async listUnrecorded({ until, limit }: { until: number; limit: number }): Promise<UnrecordedCall[]> {
      const rows = await db.all<UnrecordedRow>(sql`
        SELECT k.id, k.caller_id AS callerId, k.token_mint AS mint, k.called_at AS calledAt, k.ended_at AS endedAt,
          k.end_price AS endPrice, k.change_percent AS changePercent, k.unranked_reason IS NULL AS isRanked,
          k.is_late AS isLate,
          COALESCE(k.counted_change, k.change_percent) AS countedChange,
          ${markOf('open')} AS open, ${markOf('end')} AS "end"
        FROM calls k INDEXED BY calls_unrecorded
        WHERE k.ended_at IS NOT NULL AND k.follower_rule IS NULL AND k.ended_at <= ${until}
        ORDER BY k.ended_at, k.id
        LIMIT ${limit}`);
      return rows.map(({ open, end, ...call }) => ({
        ...call,
        isRanked: call.isRanked === 1,
        isLate: call.isLate === 1,
        open: readJson(open),
        end: readJson(end),
      }));
    },

    /** Writes the records of these calls' marks and their log entries, each once. */
    recordResults(recorded: readonly RecordedCall[], at: number): Statement[] {
      const ids = valuesOf(recorded.map(({ id }) => id));
      const areUnrecorded = and(inArray(calls.id, ids), isNull(calls.followerRule));
      const isUnrecorded = hasRow(calls, eq(calls.id, entryMember('callId')), isNull(calls.followerRule));
      return [
        appendLogEntries(
          recorded.map((call) => markedEvent({ ...call, at })),
          isUnrecorded,
        ),
        sql`
          UPDATE callers SET measured_calls = measured_calls + r.count
          FROM (SELECT caller_id, COUNT(*) AS count FROM calls WHERE ${areUnrecorded} GROUP BY caller_id) r
          WHERE callers.caller_id = r.caller_id`,
        recordEach(
          'paper_ended',
          sql`
            SELECT ${at} AS at, id AS subject, caller_id AS user_id
            FROM calls
            WHERE ${areUnrecorded} AND unranked_reason IS NULL
              AND ${hasRow(paperFollows, eq(paperFollows.callerId, calls.callerId))}`,
        ),
        sql`
          UPDATE calls SET follower_rule = r.value ->> 'rule', follower_ppm = r.value ->> 'ppm',
            sol_ppm = r.value ->> 'solPpm', copied = r.value ->> 'copied'
          FROM json_each(${JSON.stringify(recorded)}) r
          WHERE calls.id = r.value ->> 'id' AND follower_rule IS NULL`,
      ];
    },
  };
}

/**
 * Stores the callers' figures of these results, in one statement; none if the stored figures are the same. If another batch
 * has ended or recorded a call of a caller since they were read, nothing is stored for that caller. The record of each end,
 * ranked or not, follows within minutes and computes the figures again. The value of the order `afterFee` depends on the
 * time, so it alone isn't stored again here.
 */
export function storeFigures(read: readonly CallerResults[], now: number): Statement[] {
  const changed = read.flatMap((caller) => {
    const next = figuresOf(caller);
    if (keysOf(next).every((name) => next[name] === caller[name])) return [];
    const { callerId, endedCalls, measuredCalls } = caller;
    return [{ ...next, callerId, endedCalls, measuredCalls }];
  });
  if (changed.length === 0) return [];
  const store = sql`
    UPDATE callers SET
      follower_calls = f.value ->> 'calls',
      calls_without_result = f.value ->> 'callsWithoutResult',
      follower_return = f.value ->> 'followerReturn',
      proven = f.value ->> 'proven',
      proven_results = f.value ->> 'provenResults',
      proven_tokens = f.value ->> 'provenTokens',
      proven_bets = f.value ->> 'provenBets',
      copied_sums = f.value ->> 'copiedSums',
      after_fee = ${afterFeeOrder({ sums: sql`f.value ->> 'copiedSums'`, now })}
    FROM json_each(${JSON.stringify(changed)}) f
    WHERE caller_id = f.value ->> 'callerId'
      AND ended_calls = f.value ->> 'endedCalls'
      AND measured_calls = f.value ->> 'measuredCalls'
    RETURNING caller_id`;
  return [store];
}

function figuresOf({ results, oldestOpenAt }: CallerResults): StoredFigures {
  const figures = followerFigures(results, oldestOpenAt);
  return {
    ...figures,
    followerReturn: figures.followerReturn ?? NO_FOLLOWER_RETURN,
    proven: figures.proven ?? NO_PROVEN,
    copiedSums: JSON.stringify(copiedSums(results, oldestOpenAt)),
  };
}

type ResultsRow = Omit<CallerResults, 'results'> & {
  readonly results: JsonText<readonly StoredResult[]>;
};

type UnrecordedRow = Omit<UnrecordedCall, 'isRanked' | 'isLate' | 'open' | 'end'> & {
  readonly isRanked: 0 | 1;
  readonly isLate: 0 | 1;
  readonly open: JsonText<LoggedMark> | null;
  readonly end: JsonText<LoggedMark> | null;
};
