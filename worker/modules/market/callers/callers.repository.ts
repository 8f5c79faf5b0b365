import { sql } from 'drizzle-orm';
import {
  CALCULATOR_CALLS,
  CALCULATOR_FEES,
  FORMER_HOLDER_SHOWN_MS,
  MARK_DELAY_MS,
  MICRO_CAP_RECORD_CALLS,
  STATISTICS_MAX_CALLS,
} from '#schema/constants/market.ts';
import type { CallerResults, CopiedCall } from '#schema/contracts/callers.ts';
import { callers } from '#schema/tables/callers.ts';
import { calls } from '#schema/tables/calls.ts';
import type { ChargedFee } from '#schema/rules/calls/calculator.ts';
import { unpackCall, type PackedCall } from '#schema/rules/calls/packed-calls.ts';
import { microCapRecord, type MicroCapRecord, type MicroCapResult } from '#schema/rules/calls/micro-caps.ts';
import type { PeriodDays } from '#schema/rules/money/lengths.ts';
import { formatFee } from '#schema/rules/money/lamports.ts';
import { readJson, type JsonText } from '#schema/rules/typed-json.ts';
import type { Period } from '#schema/rules/access/subscription.ts';
import { callerStanding } from '../../money/callers/caller-standing.ts';
import { solPrice } from '../../money/callers/after-fee.repository.ts';
import { callerSummary, type CallerSummaryRow } from '../../money/callers/caller-summary.ts';
import type { Database } from '../../../shared/database.ts';
import { boughtDays } from '../../money/subscriptions/reminders.repository.ts';
import { silentSince } from '../../money/subscriptions/silent-days.repository.ts';
import { oldestOpenAt, publicOpenCalls } from '../calls/open-calls.repository.ts';
import { shownText } from '../../log/hidden-texts.repository.ts';
import { logSize } from '../../log/log-entries.repository.ts';
import {
  columnsOf,
  computed,
  present,
  selection,
  selectRow,
  selectRows,
  type SelectedRow,
  valuesOf,
} from '../../../shared/rows.ts';
import { lookAlikeKeys } from './look-alikes.repository.ts';

export const callerSelection = selection(
  callerSummary,
  callerStanding,
  computed<{ id: string }>({ id: 'c.caller_id' }),
  columnsOf(callers, 'c', [
    'fee_lamports',
    'payout_address',
    'deletes_at',
    'win_rate',
    'avg_return',
    'total_calls',
    'ended_calls',
    'ranked_calls',
    'follower_calls',
    'calls_without_result',
    'follower_return',
    'proven',
    'proven_results',
    'proven_tokens',
    'proven_bets',
    'copied_sums',
    'after_fee',
    'is_leading',
    'paying_count',
    'subscriber_count',
    'last_call_at',
    'last_ranked_at',
  ]),
  computed({ sol_price: solPrice }),
);

export type CallerRow = SelectedRow<typeof callerSelection>;

interface ProfileQuery {
  readonly usernameOrId: string;
  readonly viewerId: string | null;
  readonly now: number;
}

/** `viewer_periods`: the viewer's current and later periods with the caller. */
const profileSelection = ({ viewerId, now }: Omit<ProfileQuery, 'usernameOrId'>) =>
  selection(
    callerSelection,
    computed<{ member_since: number }>({ member_since: 'u.created_at' }),
    columnsOf(callers, 'c', ['earned_lamports', 'holdings']),
    lookAlikeKeys,
    computed<{
      bio: string | null;
      former_holder: JsonText<FormerHolder> | null;
      silent_since: number | null;
      log_size: number;
      viewer_periods: JsonText<readonly (Period & { readonly days: PeriodDays | null })[]>;
    }>({
      bio: shownText({ kind: 'bio', id: 'u.id', text: 'u.bio' }),
      former_holder: formerHolder(now),
      silent_since: silentSince(now),
      log_size: logSize,
      // A visitor without a session has none, and reads no payments.
      viewer_periods:
        viewerId === null
          ? sql`'[]'`
          : sql`(
              SELECT json_group_array(json_object(
                'startsAt', s.starts_at, 'endsAt', s.ends_at, 'days', ${boughtDays('s.payment_id')}))
              FROM periods s
              WHERE s.subscriber_id = ${viewerId} AND s.caller_id = c.caller_id
                AND (s.ends_at IS NULL OR s.ends_at > ${now}))`,
    }),
  );

export type CallerProfileRow = SelectedRow<ReturnType<typeof profileSelection>>;

const openCallColumns = columnsOf(calls, 'k', ['tokenMint', 'entryPrice', 'calledAt', 'unrankedReason']);

export type OpenCallRow = SelectedRow<typeof openCallColumns>;

const endedCallColumns = selection(
  columnsOf(calls, 'k', ['entryPrice', 'peakPrice', 'unrankedReason', 'uncountedGainReason']),
  present(columnsOf(calls, 'k', ['endPrice', 'changePercent', 'endedAt'])),
);

export type EndedCallRow = SelectedRow<typeof endedCallColumns>;

export function createCallersRepository(db: Database) {
  return {
    /** The newest STATISTICS_MAX_CALLS ended calls, oldest first. */
    async listEndedCalls(callerId: string): Promise<EndedCallRow[]> {
      const query = sql`
        SELECT ${endedCallColumns.list}
        FROM calls k
        WHERE k.caller_id = ${callerId} AND k.ended_at IS NOT NULL
        ORDER BY k.ended_at DESC, k.id DESC
        LIMIT ${STATISTICS_MAX_CALLS}`;
      const rows = await selectRows(db, endedCallColumns, query);
      return rows.reverse();
    },

    readMicroCaps: (callerId: string) => readMicroCaps(db, callerId),

    /** `names`: ids or handles. Leaves out what only days before `since` need. */
    async listResults({ names, since }: ResultsOptions): Promise<(CallerRow & CallerResults)[]> {
      const columns = resultsSelection(since);
      const query = sql`
        SELECT ${columns.list}
        FROM (
          SELECT * FROM users WHERE id IN ${valuesOf(names)}
          UNION
          SELECT * FROM users WHERE twitter_handle COLLATE NOCASE IN ${valuesOf(names)} AND left_at IS NULL) u
        JOIN callers c ON c.caller_id = u.id`;
      const rows = await selectRows(db, columns, query);
      return rows.map((row) => ({
        ...row,
        calls: callsSince(readJson(row.packed_calls).flat().map(unpackCall), since),
        fees: [
          ...readJson(row.past_fees).map(([fee, until]) => chargedFee(BigInt(fee), until)),
          chargedFee(row.fee_lamports, null),
        ],
        openCalls: publicOpenCalls({
          count: row.total_calls - row.ended_calls,
          oldestAt: row.oldest_open_at,
        }),
      }));
    },

    async find({ usernameOrId, ...viewer }: ProfileQuery): Promise<CallerProfileRow | null> {
      const profile = profileSelection(viewer);
      const query = sql`
        SELECT ${profile.list}
        FROM (${usersNamed(usernameOrId)}) u
        JOIN callers c ON c.caller_id = u.id
        ORDER BY u.is_id DESC
        LIMIT 1`;
      return selectRow(db, profile, query);
    },

    async readLogSize(): Promise<number> {
      const [row] = await db.all<{ size: number }>(sql`SELECT ${logSize} AS size`);
      return row?.size ?? 0;
    },

    /** Only for viewers with access to the caller's active calls. */
    async listOpenCalls(callerId: string): Promise<OpenCallRow[]> {
      const query = sql`
        SELECT ${openCallColumns.list}
        FROM calls k INDEXED BY calls_active
        WHERE k.caller_id = ${callerId} AND k.ended_at IS NULL`;
      return selectRows(db, openCallColumns, query);
    },
  };
}

interface FormerHolder {
  readonly id: string;
  readonly until: number;
  readonly summary: CallerSummaryRow;
}

/** The caller who had this caller's handle before. */
const formerHolder = (now: number) => sql<JsonText<FormerHolder> | null>`(
  SELECT json_object('id', f.user_id, 'until', f.until, 'summary', json(h.summary))
  FROM former_handles f JOIN callers h ON h.caller_id = f.user_id
  WHERE f.handle = lower(u.twitter_handle) AND f.user_id <> u.id AND f.taken_at > ${now - FORMER_HOLDER_SHOWN_MS}
    AND u.left_at IS NULL AND h.ended_calls > 0 AND h.is_hidden = 0
  ORDER BY f.until DESC
  LIMIT 1)`;

/** The user with this id and the user with this handle. Uses UNION, because with OR SQLite would read every user. */
const usersNamed = (usernameOrId: string) => sql`
  SELECT *, 1 AS is_id FROM users WHERE id = ${usernameOrId}
  UNION ALL
  SELECT *, 0 FROM users WHERE twitter_handle = ${usernameOrId} COLLATE NOCASE AND left_at IS NULL`;

async function readMicroCaps(db: Database, callerId: string): Promise<MicroCapRecord | null> {
  const rows = await db.all<MicroCapResult & { oldestOpenAt: number | null }>(sql`
    SELECT k.called_at AS calledAt, k.copied ->> '$.ppm[0]' AS ppm,
      ${oldestOpenAt(sql`${callerId}`)} AS oldestOpenAt
    FROM calls k INDEXED BY calls_micro_caps
    WHERE k.caller_id = ${callerId} AND k.follower_rule IS NOT NULL AND k.unranked_reason = 'micro_cap'
    ORDER BY k.ended_at DESC, k.id DESC
    LIMIT ${MICRO_CAP_RECORD_CALLS}`);
  return microCapRecord(rows, rows[0]?.oldestOpenAt ?? null);
}

interface ResultsOptions {
  readonly names: readonly string[];
  /** Unix ms. */
  readonly since: number;
}

/** Columns of a caller with the newest packed calls and fees. Reads at most 24 rows for the calls. */
const resultsSelection = (since: number) =>
  selection(
    callerSelection,
    computed<{
      packed_calls: JsonText<readonly (readonly PackedCall[])[]>;
      past_fees: JsonText<readonly (readonly [fee: number, until: number])[]>;
      oldest_open_at: number | null;
    }>({
      packed_calls: sql`(
        SELECT json_group_array(json(calls))
        FROM copied_calls
        WHERE caller_id = c.caller_id AND number >= COALESCE((
          SELECT number
          FROM copied_calls
          WHERE caller_id = c.caller_id AND ended_at < ${since - MARK_DELAY_MS}
          ORDER BY number DESC
          LIMIT 1), 0))`,
      past_fees: sql`(
        SELECT json_group_array(json_array(fee_lamports, until) ORDER BY until)
        FROM (
          SELECT fee_lamports, until
          FROM past_fees
          WHERE caller_id = c.caller_id AND until > ${since}
          ORDER BY until DESC
          LIMIT ${CALCULATOR_FEES}))`,
      oldest_open_at: oldestOpenAt(sql`c.caller_id`),
    }),
  );

/** The newest calls with a mark since then, newest end first, and one with SOL's price before, which a fee may need. */
function callsSince(calls: readonly CopiedCall[], since: number): CopiedCall[] {
  const newest = calls
    .toSorted((one, other) => (keyOf(one) < keyOf(other) ? 1 : -1))
    .slice(0, CALCULATOR_CALLS);
  const isBefore = ({ endTimestamp }: CopiedCall) => Date.parse(endTimestamp) + MARK_DELAY_MS < since;
  const before = newest.find((call) => isBefore(call) && call.end?.solPriceUsd);
  return newest.filter((call) => call === before || !isBefore(call));
}

const keyOf = ({ endTimestamp, id }: CopiedCall) => `${endTimestamp} ${id}`;

const chargedFee = (fee: bigint, until: number | null): ChargedFee => ({
  monthlyFee: formatFee(fee),
  until: until === null ? null : new Date(until).toISOString(),
});
