import { eq, sql, type SQL } from 'drizzle-orm';
import type { CallEventKind } from '#schema/contracts/notifications.ts';
import { calls } from '#schema/tables/calls.ts';
import { callEvents } from '#schema/tables/notifications.ts';
import { subscriptions } from '#schema/tables/subscriptions.ts';
import type { FollowerChannel } from '../../../ports/outbox.ts';
import { messageColumns } from '../../market/calls/call-columns.ts';
import { readEventId } from '../../market/calls/call-event-ids.ts';
import { callerSummary } from '../../money/callers/caller-summary.ts';
import type { Database } from '../../../shared/database.ts';
import { postingChatsWith } from '../chats/posting-chats.ts';
import { shownTextOfCall } from '../../log/hidden-texts.repository.ts';
import { keysetPage, type KeysetCursor } from '../../../shared/keyset.ts';
import {
  columnsOf,
  computed,
  selection,
  selectRow,
  selectRows,
  type SelectedRow,
} from '../../../shared/rows.ts';

/** The recipients of an update are counted immediately for callers with at most this many followers. */
export const MAX_COUNTED_FOLLOWERS = 10;

const eventColumns = selection(
  columnsOf(callEvents, 'e', {
    kind: 'kind',
    callId: 'call_id',
    callerId: 'caller_id',
    at: 'at',
    level: 'level',
    levelPrice: 'price',
  }),
  messageColumns,
  computed<{ message: string | null }>({
    message: shownTextOfCall({ kind: 'update', id: sql`n.id`, text: sql`n.message` }),
  }),
  callerSummary,
);

const countColumns = selection(
  columnsOf(callEvents, 'e', { id: 'id', kind: 'kind', callId: 'call_id', at: 'at' }),
  columnsOf(callEvents, 'e', ['recipients', 'delivered', 'unreachable', 'failed']),
  columnsOf(calls, 'k', { tokenSymbol: 'token_symbol' }),
);

const followerColumns = columnsOf(subscriptions, 's', { id: 'subscriber_id' });

export type CallEventRow = SelectedRow<typeof eventColumns>;

interface Audience {
  readonly channel: FollowerChannel;
  readonly callerId: string;
  readonly kind: CallEventKind;
  /** A Telegram chat, if only its members get the event. */
  readonly onlyIn?: string | null;
}

/** A range of user ids: above `after`, up to and including `until`. */
export interface FollowersRange {
  readonly after: string;
  readonly until: string;
  readonly limit: number;
}

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
  return {
    async find(id: string): Promise<CallEventRow | null> {
      const query = sql`
        SELECT ${eventColumns.list}
        FROM call_events e
        JOIN calls k ON k.id = e.call_id
        JOIN users u ON u.id = e.caller_id
        LEFT JOIN call_updates n ON n.id = e.update_id
        WHERE e.id = ${readEventId(id).eventId}`;
      return selectRow(db, eventColumns, query);
    },

    async findAudience(id: string): Promise<Omit<Audience, 'channel'> | null> {
      const { callerId, kind } = callEvents;
      const { eventId, part: onlyIn } = readEventId(id);
      const [row] = await db.select({ callerId, kind }).from(callEvents).where(eq(callEvents.id, eventId));
      return row ? { ...row, onlyIn } : null;
    },

    async listFollowers({ after, until, limit, ...audience }: FollowersRange & Audience) {
      const query = sql`
        SELECT DISTINCT ${followerColumns.list} ${fromAudience(audience)}
          AND s.subscriber_id > ${after} AND s.subscriber_id <= ${until}
        ORDER BY s.subscriber_id LIMIT ${limit}`;
      return (await selectRows(db, followerColumns, query)).map(({ id }) => id);
    },

    /**
     * Counts connected followers with the rule of `isViewerEntitled` in SQL. The count is only shown to the
     * caller.
     * @returns null if the caller has more than MAX_COUNTED_FOLLOWERS followers
     */
    async countEntitledFollowers({ now, ...audience }: Audience & { now: number }): Promise<number | null> {
      const [row] = await db.all<{ count: number | null }>(sql`
        SELECT iif(c.subscriber_count > ${MAX_COUNTED_FOLLOWERS}, NULL, (
          SELECT COUNT(DISTINCT s.subscriber_id) ${fromAudience(audience)}
            AND ((c.fee_lamports = 0 AND c.is_hidden = 0) OR (s.starts_at <= ${now} AND s.ends_at > ${now})))) AS count
        FROM callers c
        WHERE c.caller_id = ${audience.callerId}`);
      return row ? row.count : 0;
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

const CONNECTIONS: Readonly<Record<FollowerChannel, SQL>> = {
  telegram: sql`telegram_links l ON l.user_id = s.subscriber_id AND l.chat_id IS NOT NULL`,
  push: sql`push_devices d ON d.user_id = s.subscriber_id`,
  webhook: sql`webhooks w ON w.user_id = s.subscriber_id`,
};

/** Connected followers of a caller who get this kind of message. Does not check entitlement. */
function fromAudience({ channel, callerId, kind, onlyIn = null }: Audience) {
  return sql`
    FROM periods s JOIN ${CONNECTIONS[channel]}
    WHERE s.caller_id = ${callerId} AND s.status = 'active' ${channel === 'webhook' ? sql`` : isWanted(kind)}
      ${channel === 'telegram' ? isWantedInPrivate(onlyIn) : sql``}
      ${onlyIn === null ? sql`` : isMember(onlyIn)}`;
}

const isMember = (chatId: string) => sql`
      AND EXISTS (
        SELECT 1 FROM chat_members
        WHERE chat_id = ${chatId} AND person_id = l.chat_id AND status IN ('in', 'admin'))`;

/**
 * Followers who are in another chat where the caller's calls are posted get events only there, unless they want both.
 */
const isWantedInPrivate = (chatId: string | null) => sql`
      AND (NOT EXISTS (${postingChatsWith(sql`l.chat_id`, sql`s.caller_id`)} AND g.chat_id IS NOT ${chatId}) OR EXISTS (
        SELECT 1 FROM notification_opt_outs WHERE user_id = s.subscriber_id AND kind = 'chat_only'))`;

/** Mutes and switches are for people. Programs filter by themselves. */
const isWanted = (kind: CallEventKind) => sql`
      AND NOT EXISTS (
        SELECT 1 FROM notification_mutes WHERE user_id = s.subscriber_id AND caller_id = s.caller_id)
      AND NOT EXISTS (
        SELECT 1 FROM notification_opt_outs WHERE user_id = s.subscriber_id AND kind = ${kind})`;
