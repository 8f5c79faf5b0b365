import { and, eq, sql } from 'drizzle-orm';
import { STATISTICS_MAX_CALLS } from '#schema/constants.ts';
import { callerStatistics } from '#schema/tables/caller-statistics.ts';
import { calls } from '#schema/tables/calls.ts';
import type { Database } from '../../../shared/database.ts';
import { columnsOf, selectRows, type SelectedRow } from '../../../shared/rows.ts';

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

export interface EndedCallsQuery {
  readonly callerId: string;
  /** Number of the caller's ended calls. */
  readonly endedCalls: number;
}

/**
 * A call as an array without field names, to save space: a row holds up to STATISTICS_MAX_CALLS calls, and D1
 * limits a row to 2 MB.
 */
type StoredCall = readonly [
  EndedCallRow['entry_price'],
  EndedCallRow['end_price'],
  EndedCallRow['change_percent'],
  EndedCallRow['ended_at'],
  EndedCallRow['peak_price'],
  EndedCallRow['unranked_reason'],
  EndedCallRow['uncounted_gain_reason'],
];

/** Change this number together with `StoredCall`, so that old rows are replaced. */
const FORMAT = 1;

export function createEndedCallsReads(db: Database) {
  const readCalls = async (callerId: string): Promise<EndedCallRow[]> => {
    const query = sql`
      SELECT ${endedCallColumns.list}
      FROM calls k
      WHERE k.caller_id = ${callerId} AND k.ended_at IS NOT NULL
      ORDER BY k.ended_at DESC, k.id DESC
      LIMIT ${STATISTICS_MAX_CALLS}`;
    const rows = await selectRows(db, endedCallColumns, query);
    return rows.reverse() as EndedCallRow[];
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
      if (stored) return (JSON.parse(stored.calls) as StoredCall[]).map(unpack);
      const rows = await readCalls(callerId);
      const packed = { version, calls: JSON.stringify(rows.map(pack)) };
      await db
        .insert(callerStatistics)
        .values({ callerId, ...packed })
        .onConflictDoUpdate({ target: callerStatistics.callerId, set: packed });
      return rows;
    },
  };
}

const pack = (row: EndedCallRow): StoredCall => [
  row.entry_price,
  row.end_price,
  row.change_percent,
  row.ended_at,
  row.peak_price,
  row.unranked_reason,
  row.uncounted_gain_reason,
];

const unpack = ([entry, end, change, at, peak, unranked, uncounted]: StoredCall): EndedCallRow => ({
  entry_price: entry,
  end_price: end,
  change_percent: change,
  ended_at: at,
  peak_price: peak,
  unranked_reason: unranked,
  uncounted_gain_reason: uncounted,
});
