import { sql, type SQL } from 'drizzle-orm';
import { splitBatches } from '../../../shared/batches.ts';
import { callColumns } from './call-columns.ts';
import { mergeSorted } from '../../../shared/merge-sorted.ts';

/** D1 takes at most 100 parameters per statement. Each caller needs one. */
const CALLERS_PER_STATEMENT = 90;

type Row = Record<string, unknown>;

interface CallOrder {
  /** Selects the calls of a caller. The index has them in the order of `time` and `tiebreak`. */
  readonly select: (callerId: string) => SQL;
  readonly time: 'called_at' | 'ended_at';
  readonly tiebreak: 'rowid' | 'id';
}

export const NEWEST_ACTIVE: CallOrder = {
  select: (callerId) => sql`
    SELECT rowid, * FROM calls INDEXED BY calls_active WHERE caller_id = ${callerId} AND ended_at IS NULL`,
  time: 'called_at',
  tiebreak: 'rowid',
};

export const NEWEST_ENDED: CallOrder = {
  select: (callerId) => sql`
    SELECT * FROM calls INDEXED BY calls_history WHERE caller_id = ${callerId} AND ended_at IS NOT NULL`,
  time: 'ended_at',
  tiebreak: 'id',
};

/**
 * The newest calls of these callers together: statements that select `callColumns`, and a function that makes the list of
 * their results. Reads one row for each listed call, and one ahead for each caller.
 */
export function newestCalls(
  { callerIds, limit }: { callerIds: readonly string[]; limit: number },
  { select, time, tiebreak }: CallOrder,
) {
  // Equal times need a fixed order, so that `merge` cuts the list at the same call as the statements.
  const newestFirst = sql`ORDER BY ${sql.identifier(time)} DESC, caller_id DESC, ${sql.identifier(tiebreak)} DESC`;
  const selected = tiebreak === 'rowid' ? sql`${callColumns.list}, k.rowid AS rowid` : callColumns.list;
  return {
    statements: splitBatches(callerIds, CALLERS_PER_STATEMENT).map(
      (ids) => sql`
        SELECT ${selected}
        FROM (${mergeSorted(ids.map(select), newestFirst)} ${newestFirst}) k
        LIMIT ${sql.raw(String(limit))}`,
    ),
    merge: (results: readonly Row[][]): Row[] =>
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
