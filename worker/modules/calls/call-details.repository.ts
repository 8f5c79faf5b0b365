import { sql } from 'drizzle-orm';
import { CALL_LEVELS } from '#schema/constants.ts';
import { callUpdates } from '#schema/tables/call-updates.ts';
import { priceQuotes } from '#schema/tables/calls.ts';
import { callEvents } from '#schema/tables/notifications.ts';
import { runBatch, type Database } from '../../shared/database.ts';
import { columnsOf, present, valuesOf, type SelectedRow } from '../../shared/rows.ts';
import { readCall, selectCalls, type CallRow } from './call-queries.ts';

const updateColumns = columnsOf(callUpdates, 'n', ['id', 'message', 'created_at']);
const quoteColumns = columnsOf(priceQuotes, 'q', [
  'side',
  'source',
  'price',
  'failure',
  'is_recorded',
  'quoted_at',
  'block_id',
  'liquidity_usd',
]);

const hitColumns = present(columnsOf(callEvents, 'e', ['level', 'price', 'at']));

export type LevelHitRow = SelectedRow<typeof hitColumns>;
export type CallUpdateRow = SelectedRow<typeof updateColumns>;
export type CallQuoteRow = SelectedRow<typeof quoteColumns>;

/** Updates, hits and quotes are sorted oldest first; times are unix ms. */
export interface CallDetailRows {
  readonly call: CallRow;
  readonly updates: readonly CallUpdateRow[];
  readonly hits: readonly LevelHitRow[];
  readonly quotes: readonly CallQuoteRow[];
}

export type CallDetailsRepository = ReturnType<typeof createCallDetailsRepository>;

export function createCallDetailsRepository(db: Database) {
  return {
    /** A call with its updates, hit levels and quotes, read in one batch. Does not check access. */
    async findDetail(id: string): Promise<CallDetailRows | null> {
      const [[call] = [], updates = [], quotes = [], hits = []] = await runBatch(db, [
        sql`${selectCalls} WHERE k.id = ${id}`,
        sql`
          SELECT ${updateColumns.list}
          FROM call_updates n
          WHERE n.call_id = ${id}
          ORDER BY n.created_at, n.rowid`,
        sql`
          SELECT ${quoteColumns.list}
          FROM price_quotes q
          WHERE q.call_id = ${id}
          ORDER BY q.side = 'end', q.quoted_at, q.source`,
        sql`
          SELECT ${hitColumns.list}
          FROM call_events e
          WHERE e.id IN ${valuesOf(CALL_LEVELS.map((level) => `level_hit:${id}:${level}`))}
          ORDER BY e.at, e.level`,
      ]);
      if (call === undefined) return null;
      return {
        call: readCall(call),
        updates: updates.map(updateColumns.read),
        quotes: quotes.map(quoteColumns.read),
        hits: hits.map(hitColumns.read),
      };
    },
  };
}
