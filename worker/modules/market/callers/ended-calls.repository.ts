import { and, eq, sql } from 'drizzle-orm';
import { STATISTICS_MAX_CALLS } from '#schema/constants/market.ts';
import { callerStatistics } from '#schema/tables/caller-statistics.ts';
import { calls } from '#schema/tables/calls.ts';
import type { Database } from '../../../shared/database.ts';
import { columnsOf, present, selection, selectRows, type SelectedRow } from '../../../shared/rows.ts';

/** Change FORMAT together with this list, so that old rows are replaced. */
const NAMES = [
  'entry_price',
  'end_price',
  'change_percent',
  'ended_at',
  'peak_price',
  'unranked_reason',
  'uncounted_gain_reason',
] as const;
const FORMAT = 1;

const endedCallColumns = selection(
  columnsOf(calls, 'k', ['entry_price', 'peak_price', 'unranked_reason', 'uncounted_gain_reason']),
  present(columnsOf(calls, 'k', ['end_price', 'change_percent', 'ended_at'])),
);

/** Prices are plain decimals in USD, times unix ms. */
export type EndedCallRow = SelectedRow<typeof endedCallColumns>;

export interface EndedCallsQuery {
  readonly callerId: string;
  readonly endedCalls: number;
}

export function createEndedCallsReads(db: Database) {
  const readCalls = async (callerId: string): Promise<EndedCallRow[]> => {
    const query = sql`
      SELECT ${endedCallColumns.list}
      FROM calls k
      WHERE k.caller_id = ${callerId} AND k.ended_at IS NOT NULL
      ORDER BY k.ended_at DESC, k.id DESC
      LIMIT ${STATISTICS_MAX_CALLS}`;
    const rows = await selectRows(db, endedCallColumns, query);
    return rows.reverse();
  };

  return {
    /**
     * The newest STATISTICS_MAX_CALLS ended calls, oldest first. The first read after a call's end reads all
     * calls and stores them in one row. Later reads only read this row.
     */
    async listEndedCalls({ callerId, endedCalls }: EndedCallsQuery): Promise<EndedCallRow[]> {
      if (endedCalls === 0) return [];
      const version = `${FORMAT}:${endedCalls}`;
      const [stored] = await db
        .select({ calls: callerStatistics.calls })
        .from(callerStatistics)
        .where(and(eq(callerStatistics.callerId, callerId), eq(callerStatistics.version, version)));
      if (stored) return stored.calls.map(unpack);
      const rows = await readCalls(callerId);
      const packed = { version, calls: rows.map(pack) };
      await db
        .insert(callerStatistics)
        .values({ callerId, ...packed })
        .onConflictDoUpdate({ target: callerStatistics.callerId, set: packed });
      return rows;
    },
  };
}

// Rows are stored as arrays of values, because they hold up to STATISTICS_MAX_CALLS calls, and D1 limits a row to 2 MB.
const pack = (row: EndedCallRow): readonly unknown[] => NAMES.map((name) => row[name]);
const unpack = (values: readonly unknown[]): EndedCallRow =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `pack` wrote the values in this order.
  Object.fromEntries(NAMES.map((name, index) => [name, values[index]])) as unknown as EndedCallRow;
