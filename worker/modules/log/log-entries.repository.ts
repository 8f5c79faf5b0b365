import { is, SQL, sql } from 'drizzle-orm';
import { logEntries } from '#schema/tables/log.ts';
import type { priceMarks } from '#schema/tables/price-marks.ts';
import type { JsonText } from '#schema/rules/typed-json.ts';
import { insertWhere } from '../../shared/rows.ts';
import { part } from '../../shared/sql.ts';
import { TILE_WIDTH } from './merkle.ts';
import { LOG_VERSION, type LogEvent, type LogEventKind, type LoggedMark } from './log-entries.ts';

/** JSON of the mark of the call in `k`. NULL without a mark. */
export const markOf = (side: (typeof priceMarks.$inferSelect)['side']) => sql<JsonText<LoggedMark> | null>`(
  SELECT json_object('price', price, 'liquidityUsd', liquidity_usd, 'solPriceUsd', sol_price_usd,
    'source', source, 'seenAt', seen_at)
  FROM price_marks
  WHERE call_id = k.id AND side = ${side})`;

/**
 * An INSERT of one entry that runs only if `condition` holds. Refuses entries before a call's opening, and a second
 * opening, end or record of marks. Returns a row if it was written.
 */
export function appendLogEntry(event: LogEvent, condition: SQL): SQL {
  const { callerId } = event;
  const number = sql`(SELECT COALESCE(MAX(number), 0) + 1 FROM log_entries WHERE caller_id = ${callerId})`;
  const insert = insertWhere(
    logEntries,
    { id: nextLogId, number, textSalt: null, text: null, ...event, content: contentOf(event) },
    sql`(${condition}) AND ${fitsLog(event)}`,
  );
  return sql`${insert} RETURNING id`;
}

/** A member of the entry in conditions of `appendLogEntries`. */
export const entryMember = (name: keyof LogEvent) => part(`e.value ->> '${name}'`);

/**
 * Appends these entries in their order, in one statement. Leaves out those for which `condition` doesn't hold, and those
 * that `appendLogEntry` would refuse. Each is about another call, and none contains SQL.
 */
export function appendLogEntries(events: readonly LogEvent[], condition: SQL): SQL {
  const rows = events.map((event) => ({ ...event, content: contentOf(event) }));
  const [callerId, callId] = [entryMember('callerId'), entryMember('callId')];
  const fits = [...new Set(events.map(({ kind }) => kind))].map(
    (kind) => sql`(${entryMember('kind')} = ${kind} AND ${fitsLog({ kind, callerId, callId })})`,
  );
  return sql`
    INSERT INTO log_entries (id, caller_id, number, kind, call_id, subject_id, content, salt, text_salt, text, at)
    SELECT
      ${nextLogId} - 1 + ROW_NUMBER() OVER (ORDER BY e.key),
      ${callerId},
      (SELECT COALESCE(MAX(number), 0) FROM log_entries WHERE caller_id = ${callerId})
        + ROW_NUMBER() OVER (PARTITION BY ${callerId} ORDER BY e.key),
      ${entryMember('kind')}, ${callId}, ${entryMember('subjectId')}, ${entryMember('content')},
      ${entryMember('salt')}, ${entryMember('textSalt')}, ${entryMember('text')}, ${entryMember('at')}
    FROM json_each(${JSON.stringify(rows)}) e
    WHERE ${condition} AND (${sql.join(fits, sql` OR `)})
    ORDER BY e.key
    RETURNING id`;
}

/** The id of the next entry. The sequencer appends id 1. */
export const nextLogId = sql`(SELECT COALESCE(MAX(id), 1) + 1 FROM log_entries)`;

/** The number of the log's first entries whose bundles are in R2. Later entries are computed from rows. */
export const archivedSize = sql<number>`(
  SELECT COALESCE(MAX(n) + 1, 0) * ${sql.raw(String(TILE_WIDTH))} FROM log_bundles)`;

export const logSize = sql<number>`(SELECT COALESCE(MAX(id), 0) FROM log_entries)`;

function contentOf({ kind, at, content }: LogEvent): string | SQL {
  const members = Object.entries({ kind, ...content });
  const fixed = JSON.stringify({
    v: LOG_VERSION,
    ...Object.fromEntries(members.filter(([, value]) => !is(value, SQL))),
    time: at,
  });
  const computed = members.filter((member): member is [string, SQL] => is(member[1], SQL));
  if (computed.length === 0) return fixed;
  const values = computed.map(([name, value]) => sql`${`$.${name}`}, ${value}`);
  return sql`json_set(${fixed}, ${sql.join(values, sql`, `)})`;
}

/** The kinds after which an entry of a call may follow. Names and operators' acts follow everything. */
const FOLLOWS: Readonly<Partial<Record<LogEventKind, readonly LogEventKind[]>>> = {
  updated: ['opened', 'updated'],
  ended: ['opened', 'updated'],
  marked: ['ended'],
};

function fitsLog({ kind, callerId, callId }: Pick<LogEvent, 'kind' | 'callerId' | 'callId'>): SQL {
  // Only operators' acts may follow the marks. Reads one row if there are no acts.
  const newest = sql`(
    SELECT kind FROM log_entries
    WHERE caller_id = ${callerId} AND call_id = ${callId} AND kind <> 'hidden'
    ORDER BY id DESC
    LIMIT 1)`;
  if (kind === 'opened') return sql`${newest} IS NULL`;
  const before = is(kind, SQL) ? undefined : FOLLOWS[kind];
  return before === undefined ? sql`1` : sql`${newest} IN ${[...before]}`;
}
