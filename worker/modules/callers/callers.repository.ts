import { sql, type Column, type SQL } from 'drizzle-orm';
import { SPARKLINE_CALLS, STATISTICS_MAX_CALLS } from '#schema/constants.ts';
import type { CallerSort } from '#schema/contracts/callers.ts';
import { callers } from '#schema/tables/callers.ts';
import { calls } from '#schema/tables/calls.ts';
import { users } from '#schema/tables/users.ts';
import { callerSummary } from '../../shared/caller-summary.ts';
import type { Database } from '../../shared/database.ts';
import { groupedKeysetPage, keysetPage, type KeysetCursor } from '../../shared/keyset.ts';
import { columnsOf, computed, selection, selectRows, type SelectedRow } from '../../shared/rows.ts';

const callerSelection = selection(
  callerSummary,
  columnsOf(callers, 'c', { id: 'caller_id' }),
  columnsOf(callers, 'c', [
    'fee_lamports',
    'payout_address',
    'win_rate',
    'avg_return',
    'proven_rate',
    'total_calls',
    'ended_calls',
    'ranked_calls',
    'subscriber_count',
    'last_call_at',
  ]),
);

export type CallerRow = SelectedRow<typeof callerSelection>;

const sortColumns: Record<CallerSort, Column> = {
  winRate: callers.winRate,
  proven: callers.provenRate,
  avgReturn: callers.avgReturn,
  totalCalls: callers.totalCalls,
  subscribers: callers.subscriberCount,
  lastCall: callers.lastCallAt,
  fee: callers.feeLamports,
};

/** In these sort orders, callers with too few ranked calls come last. */
const recordSorts: ReadonlySet<CallerSort> = new Set(['winRate', 'proven', 'avgReturn']);

/** `recent_calls`: JSON of `{ entryPrice, endPrice, calledAt }`, newest first. */
const listedSelection = (sortValue: SQL<number>) =>
  selection(
    callerSelection,
    computed<{ sort_value: number; sort_group: number; recent_calls: string }>({
      sort_value: sortValue,
      sort_group: sql`c.has_record`,
      recent_calls: sql`(
        SELECT json_group_array(
          json_object('entryPrice', r.entry_price, 'endPrice', r.end_price, 'calledAt', r.called_at))
        FROM (
          SELECT entry_price, end_price, called_at
          FROM calls
          WHERE calls.caller_id = c.caller_id AND ended_at IS NOT NULL
          ORDER BY ended_at DESC, id DESC
          LIMIT ${SPARKLINE_CALLS}) r)`,
    }),
  );

export type ListedCallerRow = SelectedRow<ReturnType<typeof listedSelection>>;

interface ProfileQuery {
  readonly usernameOrId: string;
  readonly viewerId: string | null;
  /** Unix ms. */
  readonly now: number;
}

/** `viewer_periods`: JSON of the viewer's current and later `{ startsAt, endsAt, isPaid }` periods with the caller. */
const profileSelection = ({ viewerId, now }: Omit<ProfileQuery, 'usernameOrId'>) =>
  selection(
    callerSelection,
    columnsOf(users, 'u', { bio: 'bio', member_since: 'created_at' }),
    columnsOf(callers, 'c', ['earned_lamports']),
    computed<{ viewer_periods: string }>({
      viewer_periods: sql`(
        SELECT json_group_array(json_object(
          'startsAt', s.starts_at, 'endsAt', s.ends_at, 'isPaid', s.payment_id IS NOT NULL))
        FROM subscriptions s
        WHERE s.subscriber_id = ${viewerId} AND s.caller_id = c.caller_id
          AND (s.ends_at IS NULL OR s.ends_at > ${now}))`,
    }),
  );

export type CallerProfileRow = SelectedRow<ReturnType<typeof profileSelection>>;

const endedCallColumns = columnsOf(calls, 'k', [
  'entry_price',
  'end_price',
  'change_percent',
  'ended_at',
  'peak_price',
  'unranked_reason',
  'uncounted_gain_reason',
]);

type EndedRow = SelectedRow<typeof endedCallColumns>;

/** Prices are plain decimals in USD, times unix ms. The columns about the call's end are never null. */
export type EndedCallRow = EndedRow & {
  readonly [Name in 'end_price' | 'change_percent' | 'ended_at']: NonNullable<EndedRow[Name]>;
};

const openCallColumns = columnsOf(calls, 'k', ['token_mint', 'entry_price', 'called_at']);

export type OpenCallRow = SelectedRow<typeof openCallColumns>;

export interface DirectoryQuery {
  readonly sort: CallerSort;
  readonly order: 'asc' | 'desc';
  readonly search: string | null;
  readonly maxFeeLamports: bigint | null;
  readonly isVerifiedOnly: boolean;
  readonly isPaidOnly: boolean;
  readonly cursor: KeysetCursor | null;
  readonly limit: number;
}

export type CallersRepository = ReturnType<typeof createCallersRepository>;

export function createCallersRepository(db: Database) {
  return {
    async list(query: DirectoryQuery): Promise<ListedCallerRow[]> {
      const { order, cursor, limit } = query;
      const value = sql<number>`c.${sql.identifier(sortColumns[query.sort].name)}`;
      const listed = listedSelection(value);
      const select = sql`
        SELECT ${listed.list}
        FROM callers c
        JOIN users u ON u.id = c.caller_id
        WHERE ${directoryFilter(query)}`;
      const page = { select, value, id: sql`c.caller_id`, order, cursor, limit };
      return selectRows(
        db,
        listed,
        recordSorts.has(query.sort)
          ? groupedKeysetPage({ ...page, group: sql`c.has_record` })
          : keysetPage(page),
      );
    },

    async find({ usernameOrId, ...viewer }: ProfileQuery): Promise<CallerProfileRow | null> {
      const profile = profileSelection(viewer);
      const query = sql`
        SELECT ${profile.list}
        FROM users u
        JOIN callers c ON c.caller_id = u.id
        WHERE u.id = ${usernameOrId} OR u.twitter_handle = ${usernameOrId} COLLATE NOCASE
        ORDER BY u.id = ${usernameOrId} DESC
        LIMIT 1`;
      const [row] = await selectRows(db, profile, query);
      return row ?? null;
    },

    async listEndedCalls(callerId: string): Promise<EndedCallRow[]> {
      const query = sql`
        SELECT ${endedCallColumns.list}
        FROM calls k
        WHERE k.caller_id = ${callerId} AND k.ended_at IS NOT NULL
        ORDER BY k.ended_at DESC, k.id DESC
        LIMIT ${STATISTICS_MAX_CALLS}`;
      const rows = await selectRows(db, endedCallColumns, query);
      return rows.reverse() as EndedCallRow[];
    },

    /** Only for viewers with access to the caller's active calls. */
    async listOpenRankedCalls(callerId: string): Promise<OpenCallRow[]> {
      const query = sql`
        SELECT ${openCallColumns.list}
        FROM calls k
        WHERE k.caller_id = ${callerId} AND k.ended_at IS NULL AND k.unranked_reason IS NULL`;
      return selectRows(db, openCallColumns, query);
    },
  };
}

function directoryFilter({ search, maxFeeLamports, isVerifiedOnly, isPaidOnly }: DirectoryQuery): SQL {
  const conditions = [
    sql`1 = 1`,
    ...(search === null ? [] : [sql`instr(c.search_text, ${search}) > 0`]),
    ...(maxFeeLamports === null ? [] : [sql`c.fee_lamports <= ${Number(maxFeeLamports)}`]),
    ...(isVerifiedOnly ? [sql`u.is_verified = 1`] : []),
    ...(isPaidOnly ? [sql`c.fee_lamports > 0`] : []),
  ];
  return sql.join(conditions, sql` AND `);
}
