import { eq, isNull, sql } from 'drizzle-orm';
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
import { recordFacts } from '../../log/facts.repository.ts';
import { markedEvent, type LoggedMark } from '../../log/log-entries.ts';
import { appendLogEntry, markOf } from '../../log/log-entries.repository.ts';
import { oldestOpenAt } from './open-calls.repository.ts';
import { valuesOf } from '../../../shared/rows.ts';
import { allOf, hasRow } from '../../../shared/sql.ts';

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
export type CallResult = Pick<CopiedRecord, 'ppm' | 'solPpm' | 'copied'>;

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

    /** Writes the record of a call's marks and its log entry, once. */
    recordResult(
      call: UnrecordedCall,
      { rule, ppm, solPpm, copied }: CallResult & { readonly rule: FollowerRule },
      at: number,
    ): Statement[] {
      const { id, callerId, isRanked } = call;
      const isUnrecorded = hasRow(calls, eq(calls.id, id), isNull(calls.followerRule));
      return [
        appendLogEntry(markedEvent({ ...call, rule, at }), isUnrecorded),
        sql`
          UPDATE callers SET measured_calls = measured_calls + 1
          WHERE caller_id = ${callerId} AND ${isUnrecorded}`,
        ...(isRanked
          ? [
              recordFacts(
                [{ kind: 'paper_ended', subject: id, userId: callerId, at }],
                allOf(isUnrecorded, isFollowedOnPaper(callerId)),
              ),
            ]
          : []),
        sql`
          UPDATE calls SET follower_rule = ${rule}, follower_ppm = ${ppm}, sol_ppm = ${solPpm},
            copied = ${copied && JSON.stringify(copied)}
          WHERE id = ${id} AND follower_rule IS NULL`,
      ];
    },
  };
}

const isFollowedOnPaper = (callerId: string) => hasRow(paperFollows, eq(paperFollows.callerId, callerId));

/**
 * Stores the figures of these results. If another batch has ended or recorded a call of this caller since they were
 * read, nothing is stored: that call's own record follows within minutes. Null if the stored figures are the same. The value
 * of the order `afterFee` depends on the time, so it alone isn't stored again here.
 */
export function storeFigures(read: CallerResults, now: number): Statement | null {
  const { callerId, endedCalls, measuredCalls, oldestOpenAt, results } = read;
  const figures = followerFigures(results, oldestOpenAt);
  const next: StoredFigures = {
    ...figures,
    followerReturn: figures.followerReturn ?? NO_FOLLOWER_RETURN,
    proven: figures.proven ?? NO_PROVEN,
    copiedSums: JSON.stringify(copiedSums(results, oldestOpenAt)),
  };
  if (keysOf(next).every((name) => next[name] === read[name])) return null;
  return sql`
    UPDATE callers SET
      follower_calls = ${next.calls},
      calls_without_result = ${next.callsWithoutResult},
      follower_return = ${next.followerReturn},
      proven = ${next.proven},
      proven_results = ${next.provenResults},
      proven_tokens = ${next.provenTokens},
      proven_bets = ${next.provenBets},
      copied_sums = ${next.copiedSums},
      after_fee = ${afterFeeOrder({ sums: next.copiedSums, now })}
    WHERE caller_id = ${callerId} AND ended_calls = ${endedCalls} AND measured_calls = ${measuredCalls}
    RETURNING caller_id`;
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
