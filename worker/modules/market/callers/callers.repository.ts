import { desc, eq, sql } from 'drizzle-orm';
import {
  CALCULATOR_CALLS,
  CALCULATOR_FEES,
  FORMER_HOLDER_SHOWN_MS,
  MICRO_CAP_RECORD_CALLS,
  STATISTICS_MAX_CALLS,
} from '#schema/constants/market.ts';
import type { CallerResults, CopiedCall } from '#schema/contracts/callers.ts';
import { callers } from '#schema/tables/callers.ts';
import { calls } from '#schema/tables/calls.ts';
import { pastFees } from '#schema/tables/subscriptions.ts';
import type { ChargedFee } from '#schema/rules/calls/calculator.ts';
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
import { oldestOpenAt, readOpenCalls } from '../calls/open-calls.repository.ts';
import { shownText } from '../../log/hidden-texts.repository.ts';
import type { LoggedMark } from '../../log/log-entries.ts';
import { logSize, markOf } from '../../log/log-entries.repository.ts';
import {
  columnsOf,
  computed,
  present,
  selection,
  selectRow,
  selectRows,
  type SelectedRow,
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

    async readResults(caller: ChargingCaller): Promise<CallerResults> {
      const [calls, fees, openCalls] = await Promise.all([
        listCopiedCalls(db, caller.id),
        listFees(db, caller),
        readOpenCalls(db, caller.id),
      ]);
      return { calls, fees, openCalls };
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

type ChargingCaller = Pick<CallerRow, 'id' | 'fee_lamports'>;

/** The present fee and the newest CALCULATOR_FEES fees before it, oldest first. */
async function listFees(db: Database, { id, fee_lamports: fee }: ChargingCaller): Promise<ChargedFee[]> {
  const rows = await db
    .select()
    .from(pastFees)
    .where(eq(pastFees.callerId, id))
    .orderBy(desc(pastFees.until))
    .limit(CALCULATOR_FEES);
  const past = rows.map(({ feeLamports, until }) => ({
    monthlyFee: formatFee(feeLamports),
    until: new Date(until).toISOString(),
  }));
  return [...past.reverse(), { monthlyFee: formatFee(fee), until: null }];
}

interface Row extends Pick<
  CopiedCall,
  'id' | 'tokenSymbol' | 'endPrice' | 'changePercent' | 'countedChange'
> {
  readonly calledAt: number;
  readonly endedAt: number;
  readonly open: JsonText<LoggedMark> | null;
  readonly end: JsonText<LoggedMark> | null;
}

/** A caller's newest CALCULATOR_CALLS ranked calls whose marks are recorded, newest end first. Reads three rows for each. */
async function listCopiedCalls(db: Database, callerId: string): Promise<CopiedCall[]> {
  const rows = await db.all<Row>(sql`
    SELECT k.id, k.token_symbol AS tokenSymbol, k.called_at AS calledAt, k.ended_at AS endedAt,
      k.end_price AS endPrice, k.change_percent AS changePercent,
      COALESCE(k.counted_change, k.change_percent) AS countedChange,
      ${markOf('open')} AS open, ${markOf('end')} AS "end"
    FROM calls k INDEXED BY calls_results
    WHERE k.caller_id = ${callerId} AND k.follower_rule IS NOT NULL AND k.unranked_reason IS NULL
    ORDER BY k.ended_at DESC, k.id DESC
    LIMIT ${CALCULATOR_CALLS}`);
  return rows.map(({ calledAt, endedAt, open, end, ...call }) => ({
    ...call,
    callTimestamp: new Date(calledAt).toISOString(),
    endTimestamp: new Date(endedAt).toISOString(),
    open: readMark(open),
    end: readMark(end),
  }));
}

function readMark(json: JsonText<LoggedMark> | null): CopiedCall['open'] {
  if (json === null) return null;
  const { price, liquidityUsd, solPriceUsd } = readJson(json);
  return { price, liquidityUsd, solPriceUsd };
}
