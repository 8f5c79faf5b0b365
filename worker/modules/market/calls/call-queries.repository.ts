import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import type { EndedCallsQuery } from '#schema/contracts/calls.ts';
import { calls } from '#schema/tables/calls.ts';
import { callColumns } from './call-columns.ts';
import { callerStanding } from '../../money/callers/caller-standing.ts';
import { callerSummary } from '../../money/callers/caller-summary.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { keysetPage, type KeysetCursor } from '../../../shared/keyset.ts';
import { logSize } from '../../log/log-entries.repository.ts';
import { selection, selectRows, type SelectedRow } from '../../../shared/rows.ts';
import { equalsIgnoringCase, part } from '../../../shared/sql.ts';
import { NEWEST_ACTIVE, NEWEST_ENDED, newestCalls } from './newest-calls.repository.ts';

export const callSelection = selection(callColumns, callerSummary, callerStanding);

/** A call joined with its caller. Prices are plain decimals in USD, times unix ms. */
export type CallRow = SelectedRow<typeof callSelection>;

export const readCall = callSelection.read;

export const selectFrom = (table: 'calls k' | `calls k INDEXED BY ${string}`) => sql`
  SELECT ${callSelection.list}
  FROM ${part(table)}
  JOIN users u ON u.id = k.caller_id`;

export const selectCalls = selectFrom('calls k');

/** The index is named, because SQLite would otherwise read the ended calls, too. */
const selectActive = selectFrom('calls k INDEXED BY calls_active');

export interface TokenQuery {
  readonly callerId: string;
  readonly mint: string;
  readonly symbol: string;
}

interface FollowedCaller {
  readonly callerId: string;
  /** The columns of `callerSummary`, as the database has them. */
  readonly summary: Readonly<Record<string, unknown>>;
}

export interface FollowedCallsQuery {
  readonly active: readonly FollowedCaller[];
  readonly ended: readonly FollowedCaller[];
  readonly limit: number;
}

export interface CallerCallsQuery {
  readonly callerId: string;
  readonly isWithActive: boolean;
  readonly cursor: KeysetCursor | null;
  readonly limit: number;
}

export interface EndedCallsPage extends Pick<EndedCallsQuery, 'only' | 'symbol'> {
  readonly cursor: KeysetCursor | null;
  readonly limit: number;
}

/** The indexes are named, because SQLite could also read all recent calls and drop most of them. */
const ENDED_SELECTIONS = {
  all: sql`${selectCalls} WHERE k.ended_at IS NOT NULL`,
  won: sql`${selectFrom('calls k INDEXED BY calls_won')} WHERE k.change_percent > 0`,
  lost: sql`${selectFrom('calls k INDEXED BY calls_lost')} WHERE k.change_percent <= 0`,
  microCaps: sql`
    ${selectFrom('calls k INDEXED BY calls_recent_micro_caps')}
    WHERE k.ended_at IS NOT NULL AND k.unranked_reason = 'micro_cap'`,
  verified: sql`${selectFrom('calls k INDEXED BY calls_of_verified')} WHERE k.is_caller_verified = 1`,
};

const ENDED = { value: 'k.ended_at', id: 'k.id', order: 'desc' } as const;

const activeOf = (callerId: string) => sql`
  ${selectActive}
  WHERE k.caller_id = ${callerId} AND k.ended_at IS NULL
  ORDER BY k.called_at DESC`;

/** Doesn't check access. The service must check it for active calls. */
export function createCallQueries(db: Database) {
  const select = (rest: SQL) => selectRows(db, callSelection, sql`${selectCalls} ${rest}`);

  return {
    async find(id: string): Promise<CallRow | null> {
      const [row] = await select(sql`WHERE k.id = ${id}`);
      return row ?? null;
    },

    async findActive({ callerId, mint, symbol }: TokenQuery) {
      const active = (isToken: SQL) =>
        db
          .select({ tokenMint: calls.tokenMint, tokenSymbol: calls.tokenSymbol })
          .from(calls)
          .where(and(eq(calls.callerId, callerId), isNull(calls.endedAt), isToken));
      // With OR, SQLite would read all calls of the caller.
      const [row] = await active(eq(calls.tokenMint, mint))
        .unionAll(active(equalsIgnoringCase(calls.tokenSymbol, symbol)))
        .limit(1);
      return row ?? null;
    },

    listActive: (callerId: string): Promise<CallRow[]> => selectRows(db, callSelection, activeOf(callerId)),

    /** Active calls and a page of ended calls, each newest first, and the log's size at that time. */
    async listOf({ callerId, isWithActive, cursor, limit }: CallerCallsQuery) {
      const endedCalls = keysetPage({
        ...ENDED,
        select: sql`${selectCalls} WHERE k.caller_id = ${callerId} AND k.ended_at IS NOT NULL`,
        cursor,
        limit,
      });
      const [[log] = [], ended = [], active = []] = await runBatch(db, [
        sql`SELECT ${logSize} AS size`,
        endedCalls,
        ...(isWithActive ? [activeOf(callerId)] : []),
      ]);
      return { active: active.map(readCall), ended: ended.map(readCall), logSize: Number(log?.['size']) };
    },

    /** Active calls first, then ended calls. Each kind is sorted newest first and has at most `limit` calls. */
    async listOfCallers({ active, ended, limit }: FollowedCallsQuery): Promise<CallRow[]> {
      const idsOf = (callers: readonly FollowedCaller[]) => callers.map(({ callerId }) => callerId);
      const ofActive = newestCalls({ callerIds: idsOf(active), limit }, NEWEST_ACTIVE);
      const ofEnded = newestCalls({ callerIds: idsOf(ended), limit }, NEWEST_ENDED);
      const statements = [...ofActive.statements, ...ofEnded.statements];
      const results = statements.length === 0 ? [] : await runBatch(db, statements);
      const activeRows = ofActive.merge(results.splice(0, ofActive.statements.length));
      const listed = [...activeRows, ...ofEnded.merge(results)];
      const summaries = new Map([...active, ...ended].map(({ callerId, summary }) => [callerId, summary]));
      // The service has decided about access already.
      const unrestricted = { is_suspended: 0, is_hidden: 0 };
      return listed.map((row) =>
        readCall({ ...row, ...summaries.get(String(row['caller_id'])), ...unrestricted }),
      );
    },

    async listEnded({ only, symbol, ...page }: EndedCallsPage): Promise<CallRow[]> {
      const select =
        symbol === undefined
          ? ENDED_SELECTIONS[only ?? 'all']
          : sql`
            ${selectFrom('calls k INDEXED BY calls_by_symbol')}
            WHERE k.token_symbol = ${symbol} COLLATE NOCASE AND k.ended_at IS NOT NULL`;
      return selectRows(db, callSelection, keysetPage({ ...ENDED, ...page, select }));
    },
  };
}
