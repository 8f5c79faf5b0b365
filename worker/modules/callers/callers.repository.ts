import { sql, type SQL } from 'drizzle-orm';
import { SPARKLINE_CALLS, STATISTICS_MAX_CALLS } from '#schema/constants.ts';
import type { CallerSort, RecentCall } from '#schema/contracts/callers.ts';
import type { UnrankedReason } from '#schema/rules/ranking.ts';
import { NO_PROVEN_RATE } from '#schema/tables/callers.ts';
import { callerSummaryColumns, carriesHandle, type CallerSummaryRow } from '../../shared/caller-summary.ts';
import type { Database } from '../../shared/database.ts';
import { keysetPage, type KeysetCursor } from '../../shared/keyset.ts';

/** A caller as the database has them; money in lamports, times unix ms, flags 0 or 1. */
export interface CallerRow extends CallerSummaryRow {
  readonly id: string;
  readonly fee_lamports: number;
  readonly payout_address: string | null;
  readonly win_rate: number;
  readonly avg_return: number;
  /** null before the first ranked call has ended. */
  readonly proven_rate: number | null;
  readonly total_calls: number;
  readonly ended_calls: number;
  readonly subscriber_count: number;
  readonly last_call_at: number;
}

export interface ListedCallerRow extends CallerRow {
  readonly sort_value: number;
  /** JSON of `{ entryPrice, endPrice, calledAt }`, newest first. */
  readonly recent_calls: string;
}

export interface CallerProfileRow extends CallerRow {
  readonly bio: string | null;
  readonly member_since: number;
  readonly earned_lamports: number;
  /** Whether it is this caller whom the handle finds. */
  readonly carries_handle: number;
  /** JSON of the viewer's `{ startsAt, endsAt }` periods with this caller that are not over. */
  readonly viewer_periods: string;
}

/** An ended call as the statistics read it; prices plain decimals in USD, times unix ms. */
export interface EndedCallRow {
  readonly entry_price: string;
  readonly end_price: string;
  readonly change_percent: number;
  readonly ended_at: number;
  readonly peak_price: string | null;
  readonly unranked_reason: UnrankedReason | null;
}

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

const sortColumns: Record<CallerSort, SQL> = {
  winRate: sql`c.win_rate`,
  proven: sql`c.proven_rate`,
  avgReturn: sql`c.avg_return`,
  totalCalls: sql`c.total_calls`,
  subscribers: sql`c.subscriber_count`,
  lastCall: sql`c.last_call_at`,
  fee: sql`c.fee_lamports`,
};

const callerColumns = sql`
  c.caller_id AS id, ${callerSummaryColumns}, c.fee_lamports,
  c.payout_address, c.win_rate, c.avg_return, NULLIF(c.proven_rate, ${NO_PROVEN_RATE}) AS proven_rate, c.total_calls, c.ended_calls, c.subscriber_count, c.last_call_at`;

export type CallersRepository = ReturnType<typeof createCallersRepository>;

export function createCallersRepository(db: Database) {
  return {
    /** One page of the directory, each caller with their last ended calls, in one statement. */
    async list(query: DirectoryQuery): Promise<ListedCallerRow[]> {
      const value = sortColumns[query.sort];
      const conditions = [
        sql`1 = 1`,
        ...(query.search === null ? [] : [sql`instr(c.search_text, ${query.search}) > 0`]),
        ...(query.maxFeeLamports === null ? [] : [sql`c.fee_lamports <= ${Number(query.maxFeeLamports)}`]),
        ...(query.isVerifiedOnly ? [sql`u.is_verified = 1`] : []),
        ...(query.isPaidOnly ? [sql`c.fee_lamports > 0`] : []),
      ];
      const select = sql`
        SELECT ${callerColumns}, ${value} AS sort_value,
          (SELECT json_group_array(json_object('entryPrice', r.entry_price, 'endPrice', r.end_price, 'calledAt', r.called_at))
           FROM (SELECT entry_price, end_price, called_at FROM calls
                 WHERE calls.caller_id = c.caller_id AND ended_at IS NOT NULL
                 ORDER BY ended_at DESC, id DESC LIMIT ${SPARKLINE_CALLS}) r) AS recent_calls
        FROM callers c JOIN users u ON u.id = c.caller_id
        WHERE ${sql.join(conditions, sql` AND `)}`;
      return db.all<ListedCallerRow>(
        keysetPage({
          select,
          value,
          id: sql`c.caller_id`,
          order: query.order,
          cursor: query.cursor,
          limit: query.limit,
        }),
      );
    },

    /** A caller by id, else by handle (the newest account that carries it), with the viewer's running periods. */
    async find({
      usernameOrId,
      viewerId,
      now,
    }: {
      usernameOrId: string;
      viewerId: string | null;
      now: number;
    }): Promise<CallerProfileRow | null> {
      const [row] = await db.all<CallerProfileRow>(sql`
        SELECT ${callerColumns}, u.bio, u.created_at AS member_since, c.earned_lamports, ${carriesHandle} AS carries_handle,
          (SELECT json_group_array(json_object('startsAt', s.starts_at, 'endsAt', s.ends_at)) FROM subscriptions s
           WHERE s.subscriber_id = ${viewerId} AND s.caller_id = c.caller_id AND (s.ends_at IS NULL OR s.ends_at > ${now})) AS viewer_periods
        FROM users u JOIN callers c ON c.caller_id = u.id
        WHERE u.id = ${usernameOrId} OR u.twitter_handle = ${usernameOrId} COLLATE NOCASE
        ORDER BY u.id = ${usernameOrId} DESC, u.updated_at DESC LIMIT 1`);
      return row ?? null;
    },

    /** The newest ended calls of a caller, oldest end first. */
    async listEndedCalls(callerId: string): Promise<EndedCallRow[]> {
      const rows = await db.all<EndedCallRow>(sql`
        SELECT entry_price, end_price, change_percent, ended_at, peak_price, unranked_reason
        FROM calls WHERE caller_id = ${callerId} AND ended_at IS NOT NULL
        ORDER BY ended_at DESC, id DESC LIMIT ${STATISTICS_MAX_CALLS}`);
      return rows.reverse();
    },

    /** What the open ranked calls of a caller are of, and what they began at. Only for who is entitled. */
    async listOpenRankedCalls(
      callerId: string,
    ): Promise<{ token_mint: string; entry_price: string; called_at: number }[]> {
      return db.all(
        sql`SELECT token_mint, entry_price, called_at FROM calls WHERE caller_id = ${callerId} AND ended_at IS NULL AND unranked_reason IS NULL`,
      );
    },
  };
}

/** Reads `recent_calls`: oldest first, as a sparkline is drawn. */
export function readRecentCalls(json: string): RecentCall[] {
  const calls = JSON.parse(json) as { entryPrice: string; endPrice: string; calledAt: number }[];
  return calls
    .map(({ entryPrice, endPrice, calledAt }) => ({
      entryPrice,
      endPrice,
      callTimestamp: new Date(calledAt).toISOString(),
    }))
    .reverse();
}
