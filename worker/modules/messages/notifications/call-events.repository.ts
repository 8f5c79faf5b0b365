import { sql } from 'drizzle-orm';
import type { ReachedChat } from '#schema/rules/text/reach.ts';
import type { JsonText } from '#schema/rules/typed-json.ts';
import { calls } from '#schema/tables/calls.ts';
import { callEvents } from '#schema/tables/notifications.ts';
import { readEventId } from '../facts/repeated-events.ts';
import { messageColumns } from '../../market/calls/call-columns.ts';
import { callerSummary } from '../../money/callers/caller-summary.ts';
import type { Database } from '../../../shared/database.ts';
import { shownTextOfCall } from '../../log/hidden-texts.repository.ts';
import { keysetPage, type KeysetCursor } from '../../../shared/keyset.ts';
import { columnsOf, computed, selection, selectRows, type SelectedRow } from '../../../shared/rows.ts';

const eventColumns = selection(
  columnsOf(callEvents, 'e', ['kind', 'callId', 'callerId', 'at', 'level']),
  messageColumns,
  computed<{ eventId: string; levelPrice: string | null; message: string | null }>({
    eventId: 'e.id',
    levelPrice: 'e.price',
    message: shownTextOfCall({ kind: 'update', id: sql`n.id`, text: sql`n.message` }),
  }),
  callerSummary,
);

const countColumns = selection(
  columnsOf(callEvents, 'e', ['id', 'kind', 'callId', 'at']),
  columnsOf(callEvents, 'e', ['recipients', 'delivered', 'unreachable', 'failed']),
  columnsOf(calls, 'k', ['tokenSymbol']),
  computed({
    chats: sql<JsonText<readonly ReachedChat[]>>`(
      SELECT json_group_array(json_object('kind', g.kind, 'members', g.members))
      FROM telegram_chats g
      WHERE g.caller_id = e.caller_id AND (
        EXISTS (
          SELECT 1 FROM chat_replies WHERE chat_id = g.chat_id AND event_id = e.id AND message_id IS NOT NULL)
        OR (e.kind = 'call_opened' AND EXISTS (
          SELECT 1 FROM chat_posts WHERE call_id = e.call_id AND chat_id = g.chat_id))))`,
  }),
);

export type CallEventRow = SelectedRow<typeof eventColumns>;

interface EventsQuery {
  readonly callerId: string;
  readonly cursor: KeysetCursor | null;
  readonly limit: number;
}

export type CallEventsRepository = ReturnType<typeof createCallEventsRepository>;

/**
 * Reads the events of calls. The batch that opens, updates or ends a call inserts its event. The cron
 * inserts an event when a level is hit.
 */
export function createCallEventsRepository(db: Database) {
  /** In the order of the ids. */
  const list = (ids: readonly string[]): Promise<CallEventRow[]> => {
    const query = sql`
        SELECT ${eventColumns.list}
        FROM json_each(${JSON.stringify(ids)}) i
        CROSS JOIN call_events e ON e.id = i.value
        JOIN calls k ON k.id = e.call_id
        JOIN users u ON u.id = e.caller_id
        LEFT JOIN call_updates n ON n.id = e.update_id
        ORDER BY i.key`;
    return selectRows(db, eventColumns, query);
  };

  return {
    list,

    async find(id: string): Promise<CallEventRow | null> {
      return (await list([readEventId(id).eventId]))[0] ?? null;
    },

    async listOfCaller({ callerId, ...page }: EventsQuery) {
      const select = sql`
        SELECT ${countColumns.list}
        FROM call_events e JOIN calls k ON k.id = e.call_id
        WHERE e.caller_id = ${callerId}`;
      const query = keysetPage({ select, value: sql`e.at`, id: sql`e.id`, order: 'desc', ...page });
      return selectRows(db, countColumns, query);
    },
  };
}
