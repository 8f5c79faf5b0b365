import { sql, type SQL } from 'drizzle-orm';
import { MAX_UPDATES_PER_CALL } from '#schema/constants.ts';
import { callUpdates } from '#schema/tables/call-updates.ts';
import { calls, priceQuotes } from '#schema/tables/calls.ts';
import { users } from '#schema/tables/users.ts';
import type { Database } from '../../shared/database.ts';
import type { Statement } from '../../shared/job-leases.ts';
import { appendLogEntry, type LogEvent } from '../../shared/log-entries.ts';
import { valuesOf } from '../../shared/rows.ts';

/** The caller has no name in the log, and the account isn't deleted. */
const canBeNamed = (callerId: SQL | string) => sql<0 | 1>`
  NOT EXISTS (SELECT 1 FROM log_entries WHERE caller_id = ${callerId} AND call_id IS NULL AND kind = 'name')
  AND EXISTS (SELECT 1 FROM users WHERE id = ${callerId} AND deleted_at IS NULL)`;

export type ImportedQuote = typeof priceQuotes.$inferSelect;
export type ImportedUpdate = typeof callUpdates.$inferSelect;

export interface ImportedCall {
  readonly call: typeof calls.$inferSelect;
  readonly rowId: number;
  /** Its newest state isn't in the log. */
  readonly isMissing: 0 | 1;
  /** Its opening is in the log. */
  readonly isOpened: 0 | 1;
  readonly needsName: 0 | 1;
}

const isLogged = (kind: SQL) => sql<0 | 1>`EXISTS (
  SELECT 1 FROM log_entries WHERE caller_id = calls.caller_id AND call_id = calls.id AND kind = ${kind})`;

/** A row of `log_entries`. It is written if the call still has this end and isn't in the log. */
export interface ImportedRow {
  readonly caller: string;
  readonly call: string;
  readonly endedAt: number | null;
  readonly kind: 'opened' | 'updated' | 'ended';
  readonly subject: string;
  readonly content: object;
  readonly salt: string | null;
  readonly textSalt: string | null;
  readonly at: number;
}

export type LogImportRepository = ReturnType<typeof createLogImportRepository>;

export function createLogImportRepository(db: Database) {
  return {
    /** Calls in the order in which they were inserted. */
    listCalls: ({ after, limit }: { after: number; limit: number }): Promise<ImportedCall[]> =>
      db
        .select({
          call: calls,
          rowId: sql<number>`calls.rowid`,
          isMissing: sql<0 | 1>`NOT ${isLogged(sql`iif(calls.ended_at IS NULL, 'opened', 'ended')`)}`,
          isOpened: isLogged(sql`'opened'`),
          needsName: canBeNamed(sql`calls.caller_id`),
        })
        .from(calls)
        .where(sql`calls.rowid > ${after}`)
        .orderBy(sql`calls.rowid`)
        .limit(limit),

    listQuotes: (callIds: readonly string[]): Promise<ImportedQuote[]> =>
      db
        .select()
        .from(priceQuotes)
        .where(sql`call_id IN ${valuesOf(callIds)}`),

    listPeople: (ids: readonly string[]) =>
      db
        .select()
        .from(users)
        .where(sql`id IN ${valuesOf(ids)}`),

    /** The first updates of each call. */
    listUpdates: (callIds: readonly string[]): Promise<ImportedUpdate[]> =>
      db
        .select()
        .from(callUpdates)
        .where(
          sql`rowid IN (
            SELECT n.rowid
            FROM json_each(${JSON.stringify(callIds)}) p
            CROSS JOIN call_updates n ON n.rowid IN (
              SELECT rowid FROM call_updates
              WHERE call_id = p.value
              ORDER BY created_at
              LIMIT ${MAX_UPDATES_PER_CALL}))`,
        )
        .orderBy(callUpdates.createdAt),

    addName: (callerId: string, event: LogEvent): Statement => appendLogEntry(event, canBeNamed(callerId)),

    addEnd: (event: LogEvent): Statement => appendLogEntry(event, sql`1`),

    addRows(rows: readonly ImportedRow[]): Statement {
      const of = (name: keyof ImportedRow) => sql`v.value ->> ${name}`;
      return sql`
        INSERT INTO log_entries (caller_id, call_id, kind, subject_id, content, salt, text_salt, at)
        SELECT ${of('caller')}, ${of('call')}, ${of('kind')}, ${of('subject')}, ${of('content')}, ${of('salt')},
          ${of('textSalt')}, ${of('at')}
        FROM json_each(${JSON.stringify(rows)}) v
        WHERE EXISTS (SELECT 1 FROM calls WHERE id = ${of('call')} AND ended_at IS ${of('endedAt')})
          AND NOT EXISTS (
            SELECT 1 FROM log_entries e
            WHERE e.caller_id = ${of('caller')} AND e.call_id = ${of('call')} AND e.kind IN ('opened', 'ended'))
        ORDER BY v.key
        RETURNING call_id`;
    },
  };
}
