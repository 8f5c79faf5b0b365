import { sql, type SQL } from 'drizzle-orm';
import { splitBatches } from '../../../shared/batches.ts';
import { callColumns } from './call-columns.ts';
import { mergeSorted, unionAll } from '../../../shared/merge-sorted.ts';

/** D1 takes at most 100 parameters per statement. Each caller needs one. */
const CALLERS_PER_STATEMENT = 90;

export interface CallerCounts {
  readonly callerId: string;
  readonly activeCalls: number;
  readonly endedCalls: number;
  /** End times of the newest calls, newest first. May be incomplete. */
  readonly newestEnds: readonly number[];
  /** The columns of `callerSummary`, as the database has them. */
  readonly summary: Readonly<Record<string, unknown>>;
}

export interface NewestCallsQuery {
  readonly callers: readonly CallerCounts[];
  readonly limit: number;
}

type Row = Record<string, unknown>;

/** Statements that select `callColumns`, and a function that makes the list of their results. */
export interface NewestCalls {
  readonly statements: readonly SQL[];
  readonly merge: (results: readonly Row[][]) => Row[];
}

interface CallOrder {
  /** Selects the calls of a caller. The index has them in the order of `time` and `tiebreak`. */
  readonly select: (callerId: string) => SQL;
  readonly time: 'called_at' | 'ended_at';
  readonly tiebreak: 'rowid' | 'id';
}

interface Share {
  readonly callerId: string;
  /** The number of calls in the list. Null if it isn't known: then calls are read until the list is full. */
  readonly calls: number | null;
}

const ACTIVE: CallOrder = {
  select: (callerId) => sql`
    SELECT rowid, * FROM calls INDEXED BY calls_active WHERE caller_id = ${callerId} AND ended_at IS NULL`,
  time: 'called_at',
  tiebreak: 'rowid',
};

const ENDED: CallOrder = {
  select: (callerId) => sql`
    SELECT * FROM calls INDEXED BY calls_history WHERE caller_id = ${callerId} AND ended_at IS NOT NULL`,
  time: 'ended_at',
  tiebreak: 'id',
};

export function newestActive({ callers, limit }: NewestCallsQuery): NewestCalls {
  const all = callers.reduce((sum, { activeCalls }) => sum + activeCalls, 0);
  const shares = callers.map(({ callerId, activeCalls }) => ({
    callerId,
    calls: all <= limit ? activeCalls : null,
  }));
  return readShares({ shares, limit, since: null }, ACTIVE);
}

export interface NewestEnded {
  /** Statements for the callers who may have a call in the list whose end isn't in `newestEnds`. */
  readonly older: readonly SQL[];
  /** Statements for the other callers, given the rows of `older`. */
  readonly rest: (older: readonly Row[]) => readonly SQL[];
  readonly merge: NewestCalls['merge'];
}

/**
 * Reads about one row per listed call: the second step leaves out calls that the results of the first step have
 * pushed off the list.
 */
export function newestEnded({ callers, limit }: NewestCallsQuery): NewestEnded {
  const known = newestOf(callers.flatMap(listKnown), limit);
  const hasOlder = ({ callerId, endedCalls, newestEnds }: CallerCounts) =>
    newestEnds.length < endedCalls && newestEnds.length === (known.byCaller.get(callerId)?.length ?? 0);
  const others = callers.filter((caller) => !hasOlder(caller));
  const ofOlder = callers.filter(hasOlder).map(({ callerId }) => ({ callerId, calls: null }));
  const older = readShares({ shares: ofOlder, limit, since: known.since }, ENDED);
  return {
    older: older.statements,
    rest: (rows) => {
      const read = rows.map((row) => ({ callerId: String(row['caller_id']), at: Number(row['ended_at']) }));
      const { byCaller } = newestOf([...others.flatMap(listKnown), ...read], limit);
      const shares = others.flatMap(({ callerId }) => {
        const calls = byCaller.get(callerId)?.length ?? 0;
        return calls === 0 ? [] : [{ callerId, calls }];
      });
      return readShares({ shares, limit, since: null }, ENDED).statements;
    },
    merge: older.merge,
  };
}

interface End {
  readonly callerId: string;
  readonly at: number;
}

const listKnown = ({ callerId, newestEnds }: CallerCounts): End[] =>
  newestEnds.map((at) => ({ callerId, at }));

/** The newest `limit` ends, by caller. `since` is the oldest of them, or null if there are fewer. */
function newestOf(ends: readonly End[], limit: number) {
  const newest = ends.toSorted((a, b) => b.at - a.at || compare(b.callerId, a.callerId)).slice(0, limit);
  return {
    byCaller: Map.groupBy(newest, ({ callerId }) => callerId),
    since: newest.length < limit ? null : (newest.at(-1)?.at ?? null),
  };
}

interface Shares {
  readonly shares: readonly Share[];
  readonly limit: number;
  /** Unix ms: older calls aren't in the list. Null if no such time is known. */
  readonly since: number | null;
}

function readShares({ shares, limit, since }: Shares, { select, time, tiebreak }: CallOrder): NewestCalls {
  const column = sql.identifier(time);
  // Equal times need a fixed order, so that `merge` cuts the list at the same call as the statements.
  const newestFirst = sql`ORDER BY ${column} DESC, caller_id DESC, ${sql.identifier(tiebreak)} DESC`;
  const isRecent = since === null ? sql`` : sql`AND ${column} >= ${sql.raw(String(since))}`;
  const counted = shares.flatMap(({ callerId, calls }) =>
    calls === null
      ? []
      : [sql`SELECT * FROM (${select(callerId)} ${newestFirst} LIMIT ${sql.raw(String(calls))})`],
  );
  const others = shares.filter(({ calls }) => calls === null);
  const merged = others.map(({ callerId }) => sql`${select(callerId)} ${isRecent}`);
  const statements = [
    ...splitBatches(counted, CALLERS_PER_STATEMENT).map(unionAll),
    ...splitBatches(merged, CALLERS_PER_STATEMENT).map(
      (selects) =>
        sql`SELECT * FROM (${mergeSorted(selects, newestFirst)} ${newestFirst}) LIMIT ${sql.raw(String(limit))}`,
    ),
  ];
  const selected = tiebreak === 'rowid' ? sql`${callColumns.list}, k.rowid AS rowid` : callColumns.list;
  return {
    statements: statements.map((statement) => sql`SELECT ${selected} FROM (${statement}) k`),
    merge: (results) =>
      results
        .flat()
        .toSorted(
          (a, b) =>
            Number(b[time]) - Number(a[time]) ||
            compare(String(b['caller_id']), String(a['caller_id'])) ||
            compare(keyOf(b[tiebreak]), keyOf(a[tiebreak])),
        )
        .slice(0, limit),
  };
}

const keyOf = (value: unknown) => (typeof value === 'number' ? value : String(value));

function compare<Value extends string | number>(a: Value, b: Value): number {
  return Number(a > b) - Number(a < b);
}
