import { sql } from 'drizzle-orm';
import { CALL_LEVELS } from '#schema/constants/market.ts';
import { callHoldings } from '#schema/tables/call-holdings.ts';
import { callUpdates } from '#schema/tables/call-updates.ts';
import { priceQuotes } from '#schema/tables/calls.ts';
import { logEntries } from '#schema/tables/log.ts';
import { callEvents } from '#schema/tables/notifications.ts';
import { callNotes } from '#schema/tables/operators.ts';
import { priceMarks } from '#schema/tables/price-marks.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { shownTextOfCall } from '../../log/hidden-texts.repository.ts';
import { columnsOf, computed, present, selection, valuesOf } from '../../../shared/rows.ts';
import { readCall, selectCalls } from './call-queries.repository.ts';

const updateColumns = selection(
  columnsOf(callUpdates, 'n', ['id', 'created_at']),
  present(
    computed<{ message: string | null }>({
      message: shownTextOfCall({ kind: 'update', id: 'n.id', text: 'n.message' }),
    }),
  ),
);
const quoteColumns = columnsOf(priceQuotes, 'q', [
  'side',
  'source',
  'price',
  'sentPrice',
  'failure',
  'isRecorded',
  'quotedAt',
  'blockId',
  'liquidityUsd',
  'volume24hUsd',
  'poolCreatedAt',
  'multiplier',
]);

const holdingsColumns = columnsOf(callHoldings, 'h', ['read_until', 'state', 'found']);
const markColumns = columnsOf(priceMarks, 'm', [
  'side',
  'price',
  'liquidityUsd',
  'solPriceUsd',
  'source',
  'seenAt',
]);

const hitColumns = present(columnsOf(callEvents, 'e', ['level', 'price', 'at']));

const noteColumns = columnsOf(callNotes, 'o', ['text', 'at']);

const entryColumns = columnsOf(logEntries, 'l', ['id']);

type CallDetailsRepository = ReturnType<typeof createCallDetailsRepository>;
export type CallDetailRows = NonNullable<Awaited<ReturnType<CallDetailsRepository['findDetail']>>>;

export function createCallDetailsRepository(db: Database) {
  return {
    /**
     * A call with its updates, hit levels and quotes, read in one batch. Does not check access. Updates, hits and quotes are
     * sorted oldest first; times are unix ms.
     */
    async findDetail(id: string) {
      const [
        [call] = [],
        updates = [],
        quotes = [],
        hits = [],
        entries = [],
        [holdings] = [],
        marks = [],
        [note] = [],
      ] = await runBatch(db, [
        sql`${selectCalls} WHERE k.id = ${id}`,
        sql`
          SELECT ${updateColumns.list}
          FROM calls k JOIN call_updates n ON n.call_id = k.id
          WHERE k.id = ${id}
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
        sql`
          SELECT ${entryColumns.list}
          FROM log_entries l
          WHERE l.caller_id = (SELECT caller_id FROM calls WHERE id = ${id}) AND l.call_id = ${id}
          UNION ALL
          SELECT e.value FROM calls k, json_each(k.archived_entries) e WHERE k.id = ${id}
          ORDER BY id`,
        sql`SELECT ${holdingsColumns.list} FROM call_holdings h WHERE h.call_id = ${id}`,
        sql`
          SELECT ${markColumns.list}
          FROM price_marks m
          WHERE m.call_id = ${id}
          ORDER BY m.side = 'end'`,
        sql`SELECT ${noteColumns.list} FROM call_notes o WHERE o.call_id = ${id}`,
      ]);
      if (call === undefined) return null;
      return {
        call: readCall(call),
        updates: updates.map(updateColumns.read),
        quotes: quotes.map(quoteColumns.read),
        marks: marks.map(markColumns.read),
        hits: hits.map(hitColumns.read),
        entries: entries.map(entryColumns.read),
        holdings: holdings === undefined ? null : holdingsColumns.read(holdings),
        note: note === undefined ? null : noteColumns.read(note),
      };
    },
  };
}
