import { sql, type Column, type SQL } from 'drizzle-orm';
import type { CallerSort } from '#schema/contracts/callers.ts';
import { callers } from '#schema/tables/callers.ts';
import { calls } from '#schema/tables/calls.ts';
import { users } from '#schema/tables/users.ts';
import { callerSummary } from '../../shared/caller-summary.ts';
import type { Database } from '../../shared/database.ts';
import { groupedKeysetPage, keysetPage, type KeysetCursor } from '../../shared/keyset.ts';
import { columnsOf, computed, selection, selectRows, type SelectedRow } from '../../shared/rows.ts';
import { createEndedCallsReads } from './ended-calls.repository.ts';

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

const listedSelection = (sortValue: SQL<number>) =>
  selection(
    callerSelection,
    columnsOf(callers, 'c', ['recent_calls']),
    computed<{ sort_value: number; sort_group: number }>({
      sort_value: sortValue,
      sort_group: sql`c.has_record`,
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
    ...createEndedCallsReads(db),

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
        FROM (${usersNamed(usernameOrId)}) named
        JOIN users u ON u.id = named.id
        JOIN callers c ON c.caller_id = u.id
        ORDER BY named.is_id DESC
        LIMIT 1`;
      const [row] = await selectRows(db, profile, query);
      return row ?? null;
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

/** The user with this id and the one with this handle. With OR, SQLite would read every user. */
const usersNamed = (usernameOrId: string) => sql`
  SELECT id, 1 AS is_id FROM users WHERE id = ${usernameOrId}
  UNION ALL
  SELECT id, 0 FROM users WHERE twitter_handle = ${usernameOrId} COLLATE NOCASE`;

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
