import { sql, type SQL } from 'drizzle-orm';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { DELIVERIES_KEPT_MS, NOTICE_LIFETIME_MS } from '#schema/constants/messages.ts';
import { HOUR_MS } from '#schema/constants/time.ts';
import { readJson, type JsonText } from '#schema/rules/typed-json.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { MessageResult, OutgoingEvent } from '../../../ports/outbox.ts';
import { valuesOf } from '../../../shared/rows.ts';
import { readEventId } from '../facts/repeated-events.ts';

/**
 * Times are unix ms. `caller_id`: the caller whose calls the event is about. Followers are read in pages, ordered by id.
 * Reading starts at a random id, goes up to the highest one, then continues from the lowest one up to the random id.
 * A message has no `due_at` while an earlier one about the same caller waits for the same person.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS events (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    lifetime_ms INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    caller_id TEXT,
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
  CREATE INDEX IF NOT EXISTS events_of_caller ON events (caller_id) WHERE done_at IS NULL;
  CREATE INDEX IF NOT EXISTS events_reading ON events (caller_id) WHERE done_at IS NULL AND followers_due_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS events_done ON events (done_at) WHERE done_at IS NOT NULL;
  CREATE TABLE IF NOT EXISTS messages (
    event_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    settled TEXT NOT NULL DEFAULT '[]',
    caller_id TEXT,
    event_number INTEGER NOT NULL,
    due_at INTEGER,
    outcome TEXT,
    PRIMARY KEY (event_id, user_id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS messages_of_event ON messages (event_id, due_at) WHERE outcome IS NULL;
  CREATE INDEX IF NOT EXISTS messages_due ON messages (due_at) WHERE outcome IS NULL;
  CREATE INDEX IF NOT EXISTS messages_of_user ON messages (user_id);
  CREATE INDEX IF NOT EXISTS messages_waiting ON messages (user_id, caller_id, event_number) WHERE outcome IS NULL;
  CREATE TABLE IF NOT EXISTS results (
    user_id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    newest TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS results_by_time ON results (at);`;

const RESULTS_KEPT = 10;
const MAX_WAITING = 50;
const LAST_ID = '\uffff';

/** `unwanted`: not sent, because the recipient had no chat or no access, or had switched the message off. */
export type Outcome = 'delivered' | 'unreachable' | 'unwanted';

export interface EventTraits {
  /** The message is given up after this time. */
  readonly lifetimeMs: number;
  /** Recipients are listed when the event is sent. Otherwise it is for the event's person. */
  readonly hasAudience: boolean;
  /** About a call, for followers with access to it: all get the same text, and a pause of posting holds it back. */
  readonly isOfCall: boolean;
  /** The event is only for those who got no message of it under another id. */
  readonly isForUntold?: boolean;
}

export interface ReadyEvent {
  readonly event: OutgoingEvent;
  /** Counts up with each event. */
  readonly number: number;
  readonly expiresAt: number;
  readonly hasFollowersDue: boolean;
  /** Later events of the same caller wait until all followers of this one are read. */
  readonly isFollowed: boolean;
  /** The next page of followers contains ids above `after`, up to `until`. */
  readonly after: string;
  readonly until: string;
  readonly firstFollower: string;
}

/**
 * A message that may be sent now. `attempts` counts the failed attempts to send it, and `settled` lists the devices
 * that need no further attempt.
 */
export interface DueMessage extends Pick<ReadyEvent, 'event' | 'number' | 'expiresAt'> {
  readonly userId: string;
  readonly attempts: number;
  readonly settled: readonly string[];
}

export interface FollowersPage {
  readonly event: OutgoingEvent;
  readonly userIds: readonly string[];
  readonly next: Pick<ReadyEvent, 'after' | 'until'> | null;
  readonly now: number;
}

/** Message counts of one event. `failed` counts messages that had no outcome when the event's lifetime ended. */
export type EventCounts = Readonly<
  Record<'recipients' | 'delivered' | 'unreachable' | 'failed', number> & { id: string }
>;

/**
 * An event that sends nothing more. `isGivenUp`: its lifetime ended before all followers were read and all messages had
 * an outcome. `error` is the error of the last attempt.
 */
export type ClosingEvent = Readonly<{ id: string; isGivenUp: 0 | 1; unsent: number; error: string }>;

export type OutboxStore = ReturnType<typeof createOutboxStore>;

type Query = <Row extends Record<string, SqlStorageValue>>(statement: SQL) => Row[];

const dialect = new SQLiteSyncDialect();

export interface OutboxOptions {
  readonly storage: SqlStorage;
  readonly clock: Clock;
  readonly traitsOf: (event: OutgoingEvent) => EventTraits;
}

/** Events and messages in the Durable Object. Method calls without an await between them are one transaction. */
export function createOutboxStore({ storage, clock, traitsOf }: OutboxOptions) {
  storage.exec(SCHEMA);
  const query: Query = <Row extends Record<string, SqlStorageValue>>(statement: SQL) => {
    const { sql: text, params } = dialect.sqlToQuery(statement);
    return storage.exec<Row>(text, ...params).toArray();
  };

  return {
    ...createQueue(query, traitsOf),
    ...createFollowers(query, traitsOf),
    ...createOutcomes(query, clock),
    ...createClosing(query),

    waitedMs: ({ event, expiresAt }: DueMessage) => clock.now() - (expiresAt - traitsOf(event).lifetimeMs),
  };
}

function createQueue(query: Query, traitsOf: OutboxOptions['traitsOf']) {
  return {
    add({ event, now }: { event: OutgoingEvent; now: number }): void {
      const { lifetimeMs, hasAudience, isOfCall } = traitsOf(event);
      // The writer offers the event again, until the version that knows its kind runs here, too.
      if (lifetimeMs === 0) throw new Error(`This version doesn’t know ${event.kind}`);
      const followersDueAt = hasAudience ? now : null;
      const callerId = isOfCall ? event.userId : null;
      const added = query(sql`
        INSERT INTO events (
          id, body, lifetime_ms, expires_at, caller_id, followers_due_at, first_follower, after, until, recipients)
        SELECT ${event.id}, ${JSON.stringify(event)}, ${lifetimeMs}, ${now + lifetimeMs}, ${callerId},
          ${followersDueAt}, seed, seed, ${LAST_ID}, ${Number(!hasAudience)}
        FROM (SELECT printf('%08x', random() & 0xffffffff) AS seed) WHERE true
        ON CONFLICT DO NOTHING RETURNING id`);
      if (added.length === 0 || hasAudience) return;
      query(sql`
        INSERT INTO messages (event_id, user_id, event_number, due_at)
        SELECT id, ${event.userId}, rowid, ${now} FROM events WHERE id = ${event.id}`);
    },

    /** Lists open events, without those of calls if `isHeld`. The event that was served longest ago comes first. */
    listReady({ now, limit, isHeld }: { now: number; limit: number; isHeld: boolean }): ReadyEvent[] {
      const rows = query<
        Omit<ReadyEvent, 'event' | 'hasFollowersDue' | 'isFollowed'> & {
          body: JsonText<OutgoingEvent>;
          due: 0 | 1;
          followed: 0 | 1;
        }
      >(sql`
        SELECT rowid AS number, body, after, until, first_follower AS firstFollower, expires_at AS expiresAt,
          ifnull(followers_due_at <= ${now} AND ${isNextOfCaller}, 0) AS due,
          EXISTS (SELECT 1 FROM events WHERE caller_id = e.caller_id AND done_at IS NULL AND rowid > e.rowid) AS followed
        FROM events e
        WHERE done_at IS NULL AND expires_at > ${now} AND NOT (${Number(isHeld)} AND caller_id IS NOT NULL)
          AND (due OR EXISTS (
          SELECT 1 FROM messages WHERE event_id = e.id AND outcome IS NULL AND due_at <= ${now}))
        ORDER BY served_at, rowid LIMIT ${limit}`);
      return rows.map(({ body, due, followed, ...row }) => {
        return { ...row, event: readJson(body), hasFollowersDue: due === 1, isFollowed: followed === 1 };
      });
    },

    listDue(
      { event, number, expiresAt }: ReadyEvent,
      { now, busy, limit }: { now: number; busy: readonly string[]; limit: number },
    ): DueMessage[] {
      const rows = query<
        Pick<DueMessage, 'userId' | 'attempts'> & { settled: JsonText<readonly string[]> }
      >(sql`
        SELECT user_id AS userId, attempts, settled FROM messages
        WHERE event_id = ${event.id} AND outcome IS NULL AND due_at <= ${now}
          AND user_id NOT IN ${valuesOf(busy)}
        ORDER BY due_at, rowid LIMIT ${limit}`);
      return rows.map((row) => ({
        event,
        number,
        expiresAt,
        ...row,
        settled: readJson(row.settled),
      }));
    },

    /** Lists the caller's other open events that the recipient hasn't got, also those whose recipients aren't listed yet. */
    listWaiting({ event, userId }: DueMessage): string[] {
      return query<{ id: string }>(sql`
        SELECT id FROM events e
        WHERE caller_id = ${event.userId} AND done_at IS NULL AND id <> ${event.id} AND NOT EXISTS (
          SELECT 1 FROM messages WHERE event_id = e.id AND user_id = ${userId} AND outcome IS NOT NULL)
        ORDER BY rowid LIMIT ${MAX_WAITING}`).map(({ id }) => id);
    },

    markServed({ ids, now }: { ids: readonly string[]; now: number }): void {
      query(sql`UPDATE events SET served_at = ${now} WHERE id IN ${valuesOf(ids)}`);
    },
  };
}

/** No followers of an earlier event `e` of the same caller must still be read. */
const isNextOfCaller = sql`NOT EXISTS (
  SELECT 1 FROM events
  WHERE caller_id = e.caller_id AND done_at IS NULL AND rowid < e.rowid AND followers_due_at IS NOT NULL)`;

/** An untried message `o` about the same caller to the same person. */
const isUntried = sql`o.outcome IS NULL AND o.attempts = 0`;

/** Makes the next messages of these people due whose earlier ones have been tried. The plus sign rules out the index of times. */
const release = (userIds: SQL, now: number) => sql`
  UPDATE messages AS m SET due_at = ${now}
  WHERE user_id IN ${userIds} AND +due_at IS NULL AND outcome IS NULL AND NOT EXISTS (
    SELECT 1 FROM messages o
    WHERE o.user_id = m.user_id AND o.caller_id = m.caller_id AND o.event_number < m.event_number AND ${isUntried})`;

const kindOf = (eventId: string): string => eventId.split(':', 1)[0] ?? '';

function createOutcomes(query: Query, clock: Clock) {
  const readResults = (userId: string): MessageResult[] => {
    const [row] = query<{ newest: JsonText<MessageResult[]> }>(
      sql`SELECT newest FROM results WHERE user_id = ${userId}`,
    );
    return row === undefined ? [] : readJson(row.newest);
  };
  return {
    record({ event, userId }: DueMessage, outcome: Outcome): void {
      const now = clock.now();
      query(
        sql`UPDATE messages SET outcome = ${outcome} WHERE event_id = ${event.id} AND user_id = ${userId}`,
      );
      query(sql`
        UPDATE events SET delivered = delivered + (${outcome} = 'delivered'),
          unreachable = unreachable + (${outcome} = 'unreachable'), unwanted = unwanted + (${outcome} = 'unwanted')
        WHERE id = ${event.id}`);
      query(release(valuesOf([userId]), now));
      const newest = [{ kind: kindOf(event.id), at: now, result: outcome }, ...readResults(userId)];
      query(sql`
        INSERT INTO results (user_id, at, newest)
        VALUES (${userId}, ${now}, ${JSON.stringify(newest.slice(0, RESULTS_KEPT))})
        ON CONFLICT (user_id) DO UPDATE SET at = excluded.at, newest = excluded.newest`);
    },

    listResults(userId: string): MessageResult[] {
      const open = query<{ eventId: string; at: number; outcome: 'unsent' | null }>(sql`
        SELECT m.event_id AS eventId, coalesce(e.done_at, m.due_at, ${clock.now()}) AS at, m.outcome
        FROM messages m
        JOIN events e ON e.id = m.event_id
        WHERE m.user_id = ${userId} AND (m.outcome IS NULL OR m.outcome = 'unsent')
        ORDER BY at DESC
        LIMIT ${RESULTS_KEPT}`);
      return [
        ...open.map(({ eventId, at, outcome }) => {
          return { kind: kindOf(eventId), at, result: outcome ?? ('waiting' as const) };
        }),
        ...readResults(userId),
      ]
        .toSorted((one, other) => other.at - one.at)
        .slice(0, RESULTS_KEPT);
    },

    retry({ event, userId }: DueMessage, { dueAt, error }: { dueAt: number; error: string }): void {
      query(sql`
        UPDATE messages SET attempts = attempts + 1, due_at = ${dueAt}
        WHERE event_id = ${event.id} AND user_id = ${userId}`);
      query(sql`UPDATE events SET error = ${error} WHERE id = ${event.id}`);
      query(release(valuesOf([userId]), clock.now()));
    },

    settle({ event, userId }: DueMessage, settled: readonly string[]): void {
      query(sql`
        UPDATE messages SET settled = ${JSON.stringify(settled)}
        WHERE event_id = ${event.id} AND user_id = ${userId}`);
    },

    postpone({ event, userId }: DueMessage, until: number): void {
      query(sql`UPDATE messages SET due_at = ${until} WHERE event_id = ${event.id} AND user_id = ${userId}`);
    },

    postponeUser({ userId, until }: { userId: string; until: number }): void {
      query(
        sql`UPDATE messages SET due_at = max(due_at, ${until}) WHERE user_id = ${userId} AND outcome IS NULL`,
      );
    },
  };
}

function createClosing(query: Query) {
  return {
    listClosing: (now: number) =>
      query<ClosingEvent>(sql`
        SELECT id, coalesce(error, 'Not sent in time') AS error, unsent,
          unsent > 0 OR followers_due_at IS NOT NULL AS isGivenUp
        FROM (
          SELECT *, (SELECT count(*) FROM messages WHERE event_id = e.id AND outcome IS NULL) AS unsent
          FROM events e
          WHERE done_at IS NULL AND (expires_at <= ${now} OR (followers_due_at IS NULL AND NOT EXISTS (
            SELECT 1 FROM messages WHERE event_id = e.id AND outcome IS NULL))))`),

    listCounts: ({ ids, now }: { ids: readonly string[]; now: number }) =>
      query<EventCounts>(sql`
        SELECT id, recipients, delivered, unreachable,
          iif(expires_at <= ${now}, recipients - delivered - unreachable - unwanted, 0) AS failed
        FROM events WHERE id IN ${valuesOf(ids)}`),

    /**
     * Closes events but stores them, so that adding one again sends nothing. Stores unsent messages, so that an
     * operator can have them sent again, and the others for a day, so that no event `isForUntold` repeats them.
     */
    close({ ids, now }: { ids: readonly string[]; now: number }): void {
      query(sql`UPDATE events SET done_at = ${now} WHERE id IN ${valuesOf(ids)}`);
      query(sql`
        UPDATE messages SET attempts = 0, outcome = 'unsent'
        WHERE event_id IN ${valuesOf(ids)} AND outcome IS NULL`);
      query(release(sql`(SELECT user_id FROM messages WHERE event_id IN ${valuesOf(ids)})`, now));
    },

    /** Reopens closed events with a full new lifetime. Delivered messages aren't sent again. */
    reopen({ ids, now }: { ids: readonly string[]; now: number }): void {
      query(sql`
        UPDATE events SET done_at = NULL, error = NULL, followers_due_at = followers_due_at * 0 + ${now},
          expires_at = ${now} + lifetime_ms
        WHERE done_at IS NOT NULL AND id IN ${valuesOf(ids)}`);
      query(sql`
        UPDATE messages SET due_at = iif(caller_id IS NULL, ${now}, NULL), outcome = NULL
        WHERE outcome = 'unsent' AND event_id IN ${valuesOf(ids)}`);
      query(release(sql`(SELECT user_id FROM messages WHERE event_id IN ${valuesOf(ids)})`, now));
    },

    nextDueAt(): number | null {
      const [row] = query<{ at: number | null }>(sql`
        SELECT min(at) AS at FROM (
          SELECT min(due_at) AS at FROM messages WHERE outcome IS NULL
          UNION ALL SELECT min(expires_at) FROM events WHERE done_at IS NULL
          UNION ALL SELECT min(followers_due_at) FROM events e
            WHERE done_at IS NULL AND followers_due_at IS NOT NULL AND ${isNextOfCaller})`);
      return row?.at ?? null;
    },

    purge(now: number): number {
      const isOld = sql`done_at <= ${now - DELIVERIES_KEPT_MS}`;
      query(sql`DELETE FROM messages WHERE event_id IN (SELECT id FROM events WHERE ${isOld})`);
      const [from, until] = [now - NOTICE_LIFETIME_MS - HOUR_MS, now - NOTICE_LIFETIME_MS];
      query(sql`
        DELETE FROM messages WHERE outcome <> 'unsent' AND event_id IN (
          SELECT id FROM events WHERE done_at BETWEEN ${from} AND ${until})`);
      query(sql`DELETE FROM results WHERE at <= ${now - DELIVERIES_KEPT_MS}`);
      return query(sql`DELETE FROM events WHERE ${isOld} RETURNING id`).length;
    },
  };
}

function createFollowers(query: Query, traitsOf: OutboxOptions['traitsOf']) {
  return {
    addFollowers({ event, userIds, next, now }: FollowersPage): void {
      const told = `${readEventId(event.id).eventId}@`;
      const isTold = sql`EXISTS (
        SELECT 1 FROM messages o WHERE o.user_id = value AND substr(o.event_id || '@', 1, ${told.length}) = ${told})`;
      const added = query(sql`
        INSERT INTO messages (event_id, user_id, caller_id, event_number, due_at)
        SELECT e.id, value, e.caller_id, e.rowid, iif(EXISTS (
          SELECT 1 FROM messages o
          WHERE o.user_id = value AND o.caller_id = e.caller_id AND o.event_number < e.rowid AND ${isUntried}), NULL, ${now})
        FROM events e CROSS JOIN json_each(${JSON.stringify(userIds)})
        WHERE e.id = ${event.id} AND NOT (${Number(traitsOf(event).isForUntold ?? false)} AND ${isTold})
        ORDER BY random()
        ON CONFLICT DO NOTHING RETURNING user_id`);
      query(sql`
        UPDATE events SET recipients = recipients + ${added.length}, followers_due_at = ${next && now},
          after = ${next?.after ?? ''}, until = ${next?.until ?? ''}
        WHERE id = ${event.id}`);
    },

    postponeFollowers({ eventId, until }: { eventId: string; until: number }): void {
      query(sql`UPDATE events SET followers_due_at = ${until} WHERE id = ${eventId}`);
    },
  };
}
