import { DELIVERIES_KEPT_MS, NOTICE_LIFETIME_MS, NOTIFICATION_LIFETIME_MS } from '#schema/constants.ts';
import type { OutgoingEvent } from '../../ports/outbox.ts';

/** Times are unix ms. Followers are read in pages: from a random id up, then from the lowest id up to there. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS events (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    served_at INTEGER NOT NULL DEFAULT 0,
    followers_due_at INTEGER,
    first_follower TEXT NOT NULL,
    after TEXT NOT NULL,
    until TEXT NOT NULL,
    recipients INTEGER NOT NULL,
    delivered INTEGER NOT NULL DEFAULT 0,
    unreachable INTEGER NOT NULL DEFAULT 0,
    unwanted INTEGER NOT NULL DEFAULT 0,
    error TEXT,
    done_at INTEGER
  ) STRICT;
  CREATE INDEX IF NOT EXISTS events_open ON events (served_at) WHERE done_at IS NULL;
  CREATE TABLE IF NOT EXISTS messages (
    event_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL,
    outcome TEXT,
    PRIMARY KEY (event_id, user_id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS messages_of_event ON messages (event_id, due_at) WHERE outcome IS NULL;
  CREATE INDEX IF NOT EXISTS messages_due ON messages (due_at) WHERE outcome IS NULL;
  CREATE INDEX IF NOT EXISTS messages_of_user ON messages (user_id) WHERE outcome IS NULL;`;

const LAST_ID = '\uffff';

/** `unwanted`: at sending, the recipient had no chat, no access, or had switched it off. */
export type Outcome = 'delivered' | 'unreachable' | 'unwanted';

/** An open event with something to do. */
export interface ReadyEvent {
  readonly event: OutgoingEvent;
  readonly expiresAt: number;
  readonly hasFollowersDue: boolean;
  /** The next page of followers: ids above `after`, up to `until`. */
  readonly after: string;
  readonly until: string;
  readonly firstFollower: string;
}

/** A message that may be sent now; `attempts` counts the failed ones. */
export interface DueMessage extends Pick<ReadyEvent, 'event' | 'expiresAt'> {
  readonly userId: string;
  readonly attempts: number;
}

export interface FollowersPage {
  readonly eventId: string;
  readonly userIds: readonly string[];
  /** Null after the last page. */
  readonly next: Pick<ReadyEvent, 'after' | 'until'> | null;
  readonly now: number;
}

/** `failed`: messages without an outcome when the event's lifetime ended. */
export type EventCounts = Readonly<
  Record<'recipients' | 'delivered' | 'unreachable' | 'failed', number> & { id: string }
>;

/**
 * An event with nothing left to send, or past its lifetime (`isGivenUp`). `error` is the last attempt's.
 */
export interface ClosingEvent {
  readonly id: string;
  readonly isGivenUp: 0 | 1;
  readonly unsent: number;
  readonly error: string;
}

export type OutboxStore = ReturnType<typeof createOutboxStore>;

export const keyOf = ({ event, userId }: DueMessage) => `${event.id} ${userId}`;

type Query = <Row extends Record<string, SqlStorageValue>>(text: string, params?: SqlStorageValue[]) => Row[];

/** Events and their messages in the Durable Object's database. Calls without an await between them are one transaction. */
export function createOutboxStore(sql: SqlStorage) {
  sql.exec(SCHEMA);
  const query: Query = (text, params = []) => sql.exec(text, ...params).toArray() as never;

  return {
    /** Ignores an event that was added before. */
    add({ event, now }: { event: OutgoingEvent; now: number }): void {
      const isPersonal = event.kind !== 'call_event';
      const lifetime = isPersonal ? NOTICE_LIFETIME_MS : NOTIFICATION_LIFETIME_MS;
      const added = query(
        `INSERT INTO events (id, body, expires_at, followers_due_at, first_follower, after, until, recipients)
         SELECT ?, ?, ?, ?, seed, seed, ?, ? FROM (SELECT printf('%08x', random() & 0xffffffff) AS seed) WHERE true
         ON CONFLICT DO NOTHING RETURNING id`,
        [
          event.id,
          JSON.stringify(event),
          now + lifetime,
          isPersonal ? null : now,
          LAST_ID,
          isPersonal ? 1 : 0,
        ],
      );
      if (added.length === 0 || !isPersonal) return;
      query('INSERT INTO messages (event_id, user_id, due_at) VALUES (?, ?, ?)', [
        event.id,
        event.userId,
        now,
      ]);
    },

    /** The event served longest ago comes first. */
    listReady({ now, limit }: { now: number; limit: number }): ReadyEvent[] {
      type Row = Record<'body' | 'after' | 'until' | 'firstFollower', string> & {
        expiresAt: number;
        due: 0 | 1;
      };
      const rows = query<Row>(
        `SELECT body, after, until, first_follower AS firstFollower, expires_at AS expiresAt,
           ifnull(followers_due_at <= ?1, 0) AS due
         FROM events e
         WHERE done_at IS NULL AND expires_at > ?1 AND (followers_due_at <= ?1 OR EXISTS (
           SELECT 1 FROM messages WHERE event_id = e.id AND outcome IS NULL AND due_at <= ?1))
         ORDER BY served_at, rowid LIMIT ?2`,
        [now, limit],
      );
      return rows.map(({ body, due, ...row }) => {
        return { ...row, event: JSON.parse(body) as OutgoingEvent, hasFollowersDue: due === 1 };
      });
    },

    /** Messages of one event, except those with the keys in `busy`. */
    listDue(
      ready: ReadyEvent,
      { now, busy, limit }: { now: number; busy: readonly string[]; limit: number },
    ): DueMessage[] {
      const { event, expiresAt } = ready;
      const rows = query<{ userId: string; attempts: number }>(
        `SELECT user_id AS userId, attempts FROM messages
         WHERE event_id = ? AND outcome IS NULL AND due_at <= ?
           AND (event_id || ' ' || user_id) NOT IN (SELECT value FROM json_each(?))
         ORDER BY due_at, rowid LIMIT ?`,
        [event.id, now, JSON.stringify(busy), limit],
      );
      return rows.map((row) => ({ event, expiresAt, ...row }));
    },

    markServed({ ids, now }: { ids: readonly string[]; now: number }): void {
      query('UPDATE events SET served_at = ? WHERE id IN (SELECT value FROM json_each(?))', [
        now,
        JSON.stringify(ids),
      ]);
    },

    ...createFollowers(query),
    ...createOutcomes(query),
    ...createClosing(query),
  };
}

function createOutcomes(query: Query) {
  return {
    record({ event, userId }: DueMessage, outcome: Outcome): void {
      query('UPDATE messages SET outcome = ? WHERE event_id = ? AND user_id = ?', [
        outcome,
        event.id,
        userId,
      ]);
      query(`UPDATE events SET ${outcome} = ${outcome} + 1 WHERE id = ?`, [event.id]);
    },

    retry({ event, userId }: DueMessage, { dueAt, error }: { dueAt: number; error: string }): void {
      query('UPDATE messages SET attempts = attempts + 1, due_at = ? WHERE event_id = ? AND user_id = ?', [
        dueAt,
        event.id,
        userId,
      ]);
      query('UPDATE events SET error = ? WHERE id = ?', [error, event.id]);
    },

    /** All messages to one person wait until then. */
    postponeUser({ userId, until }: { userId: string; until: number }): void {
      query('UPDATE messages SET due_at = max(due_at, ?) WHERE user_id = ? AND outcome IS NULL', [
        until,
        userId,
      ]);
    },
  };
}

/** Ends of events, and when the next work is due. */
function createClosing(query: Query) {
  return {
    listClosing(now: number): ClosingEvent[] {
      return query<{ id: string; isGivenUp: 0 | 1; unsent: number; error: string }>(
        `SELECT id, coalesce(error, 'Not sent in time') AS error, unsent, unsent > 0 OR followers_due_at IS NOT NULL AS isGivenUp
         FROM (SELECT *, (SELECT count(*) FROM messages WHERE event_id = e.id AND outcome IS NULL) AS unsent
           FROM events e WHERE done_at IS NULL AND (expires_at <= ? OR (followers_due_at IS NULL AND NOT EXISTS (
             SELECT 1 FROM messages WHERE event_id = e.id AND outcome IS NULL))))`,
        [now],
      );
    },

    listCounts({ ids, now }: { ids: readonly string[]; now: number }): EventCounts[] {
      return query<EventCounts>(
        `SELECT id, recipients, delivered, unreachable,
           iif(expires_at <= ?, recipients - delivered - unreachable - unwanted, 0) AS failed
         FROM events WHERE id IN (SELECT value FROM json_each(?))`,
        [now, JSON.stringify(ids)],
      );
    },

    /** Forgets the messages and keeps the events, so that adding one again sends nothing. */
    close({ ids, now }: { ids: readonly string[]; now: number }): void {
      const list = JSON.stringify(ids);
      query('UPDATE events SET done_at = ? WHERE id IN (SELECT value FROM json_each(?))', [now, list]);
      query('DELETE FROM messages WHERE event_id IN (SELECT value FROM json_each(?))', [list]);
    },

    /** When there is something to do again, or null. */
    nextDueAt(): number | null {
      const [row] = query<{ at: number | null }>(
        `SELECT min(at) AS at FROM (
           SELECT min(due_at) AS at FROM messages WHERE outcome IS NULL
           UNION ALL SELECT min(expires_at) FROM events WHERE done_at IS NULL
           UNION ALL SELECT min(followers_due_at) FROM events WHERE done_at IS NULL)`,
      );
      return row?.at ?? null;
    },

    /** Forgets events that were closed long ago. Returns how many. */
    purge: (now: number) =>
      query('DELETE FROM events WHERE done_at <= ? RETURNING id', [now - DELIVERIES_KEPT_MS]).length,
  };
}

/** Pages of followers of call events. */
function createFollowers(query: Query) {
  return {
    /** Stores a message for each, in random order, together with the place of the next page. */
    addFollowers({ eventId, userIds, next, now }: FollowersPage): void {
      const added = query(
        `INSERT INTO messages (event_id, user_id, due_at) SELECT ?, value, ? FROM json_each(?) WHERE true ORDER BY random()
         ON CONFLICT DO NOTHING RETURNING user_id`,
        [eventId, now, JSON.stringify(userIds)],
      );
      query(
        'UPDATE events SET recipients = recipients + ?, followers_due_at = ?, after = ?, until = ? WHERE id = ?',
        [added.length, next && now, next?.after ?? '', next?.until ?? '', eventId],
      );
    },

    postponeFollowers({ eventId, until }: { eventId: string; until: number }): void {
      query('UPDATE events SET followers_due_at = ? WHERE id = ?', [until, eventId]);
    },
  };
}
