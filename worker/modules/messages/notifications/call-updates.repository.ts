import { eq, sql } from 'drizzle-orm';
import {
  MAX_UPDATES_PER_CALL,
  MAX_UPDATES_PER_WINDOW,
  UPDATES_WINDOW_MS,
} from '#schema/constants/messages.ts';
import { callUpdates } from '#schema/tables/call-updates.ts';
import { callEvents } from '#schema/tables/notifications.ts';
import { addUpdateEvents } from '../../market/calls/call-effects.repository.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { recordFacts } from '../../log/facts.repository.ts';
import { createSalt, sealText } from '../../log/log-entries.ts';
import { appendLogEntry } from '../../log/log-entries.repository.ts';
import { columnsOf, insertWhere, selectRows } from '../../../shared/rows.ts';
import { hasRow } from '../../../shared/sql.ts';

const timeColumn = columnsOf(callEvents, 'e', ['at']);

export interface NewUpdate {
  readonly callId: string;
  readonly callerId: string;
  readonly message: string;
  readonly now: number;
}

export function createCallUpdatesRepository(db: Database) {
  const sameUpdate = ({ callId, message, now }: NewUpdate) =>
    sql`
      SELECT 1 FROM call_updates
      WHERE call_id = ${callId} AND created_at > ${now - UPDATES_WINDOW_MS} AND message = ${message}`;
  const recentUpdates = ({ callerId, now }: Pick<NewUpdate, 'callerId' | 'now'>) => sql`
    SELECT ${timeColumn.list}
    FROM call_events e
    WHERE e.caller_id = ${callerId} AND e.at > ${now - UPDATES_WINDOW_MS} AND e.kind = 'call_update'
    ORDER BY e.at DESC
    LIMIT ${MAX_UPDATES_PER_WINDOW}`;

  const updatesOfCall = (callId: string) => sql`
    (SELECT count(*) FROM (SELECT 1 FROM call_updates WHERE call_id = ${callId} LIMIT ${MAX_UPDATES_PER_CALL}))`;

  return {
    /**
     * Inserts an update and its log entry if the call is active and belongs to the caller, the text is new and
     * no limit is reached. One statement checks this, so that parallel requests can't exceed the limits.
     * @returns false if nothing was inserted
     */
    async insert({ id, ...update }: NewUpdate & { id: string }): Promise<boolean> {
      const { callId, callerId, message, now } = update;
      const isAllowed = sql`
        EXISTS (SELECT 1 FROM calls WHERE id = ${callId} AND caller_id = ${callerId} AND ended_at IS NULL)
        AND NOT EXISTS (${sameUpdate(update)})
        AND ${updatesOfCall(callId)} < ${MAX_UPDATES_PER_CALL}
        AND (SELECT count(*) FROM (${recentUpdates(update)})) < ${MAX_UPDATES_PER_WINDOW}`;
      const insert = insertWhere(callUpdates, { id, callId, message, createdAt: now }, isAllowed);
      const [inserted = []] = await runBatch(db, [
        sql`${insert} RETURNING id`,
        logUpdate({ id, ...update }),
        addUpdateEvents(sql`u.id = ${id}`),
        recordFacts(
          [{ kind: 'call_update', subject: id, userId: callerId, at: now }],
          hasRow(callUpdates, eq(callUpdates.id, id)),
        ),
      ]);
      return inserted.length === 1;
    },

    async isRepeat(update: NewUpdate): Promise<boolean> {
      return (await db.all(sameUpdate(update))).length > 0;
    },

    async isCallFull(callId: string): Promise<boolean> {
      const [row] = await db.all<{ count: number }>(sql`SELECT ${updatesOfCall(callId)} AS count`);
      return row?.count === MAX_UPDATES_PER_CALL;
    },

    async findOldestOfFullWindow(update: Pick<NewUpdate, 'callerId' | 'now'>): Promise<number | null> {
      const rows = await selectRows(db, timeColumn, recentUpdates(update));
      return rows.length < MAX_UPDATES_PER_WINDOW ? null : (rows.at(-1)?.at ?? null);
    },
  };
}

function logUpdate({ id, callId, callerId, message, now }: NewUpdate & { id: string }) {
  const { commitment, salt: textSalt } = sealText(message);
  const content = { call: callId, text: commitment };
  const ids = { callerId, callId, subjectId: id };
  return appendLogEntry(
    { ...ids, kind: 'updated', content, salt: createSalt(), textSalt, at: now },
    sql`EXISTS (SELECT 1 FROM call_updates WHERE id = ${id})`,
  );
}
