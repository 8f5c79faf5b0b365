import { sql, type SQL } from 'drizzle-orm';
import { isCallEventKind, type CallEventKind } from '#schema/contracts/notifications.ts';
import type { Channel, OutgoingEvent } from '../../../ports/outbox.ts';
import type { Database } from '../../../shared/database.ts';
import { readEventId } from './repeated-events.ts';
import { IS_IN, postingChatsWith } from '../chats/posting-chats.repository.ts';

/** The recipients of an update are counted immediately for callers with at most this many followers. */
export const MAX_COUNTED_FOLLOWERS = 10;

/** Channels to people, not to chats. */
export type PeopleChannel = Exclude<Channel, 'chat'>;

/** SQL that lists people: the column with their ids, and the FROM and WHERE clauses. */
export interface People {
  readonly id: SQL;
  readonly from: SQL;
  readonly where: SQL;
}

/** A range of user ids: above `after`, up to and including `until`. */
export interface RecipientsRange {
  readonly after: string;
  readonly until: string;
  readonly limit: number;
}

export interface RecipientsQuery extends RecipientsRange {
  readonly channel: PeopleChannel;
  readonly people: People;
}

const CONNECTIONS: Readonly<Record<PeopleChannel, (userId: SQL) => SQL>> = {
  telegram: (userId) => sql`telegram_links l ON l.user_id = ${userId} AND l.chat_id IS NOT NULL`,
  push: (userId) => sql`push_devices d ON d.user_id = ${userId}`,
  webhook: (userId) => sql`webhooks w ON w.user_id = ${userId}`,
};

/** The person has connected a channel. */
export const isReachable = (userId: SQL) => sql<0 | 1>`
  (EXISTS (SELECT 1 FROM telegram_links WHERE user_id = ${userId} AND chat_id IS NOT NULL)
  OR EXISTS (SELECT 1 FROM push_devices WHERE user_id = ${userId})
  OR EXISTS (SELECT 1 FROM webhooks WHERE user_id = ${userId}))`;

export type RecipientsRepository = ReturnType<typeof createRecipientsRepository>;

export function createRecipientsRepository(db: Database) {
  return {
    /** One page of those of these people who have connected the channel, by id. Doesn't check access. */
    async list({ channel, people, after, until, limit }: RecipientsQuery): Promise<string[]> {
      const { id, from, where } = people;
      const rows = await db.all<{ id: string }>(sql`
        SELECT DISTINCT ${id} AS id
        FROM ${from}
        JOIN ${CONNECTIONS[channel](id)}
        WHERE ${where} AND ${id} > ${after} AND ${id} <= ${until}
        ORDER BY ${id}
        LIMIT ${limit}`);
      return rows.map((row) => row.id);
    },

    /**
     * Counts the caller's connected followers who get this kind, with the rule of `isViewerEntitled` in SQL. The count is
     * only shown to the caller.
     * @returns null if the caller has more than MAX_COUNTED_FOLLOWERS followers
     */
    async countFollowers({ callerId, kind, now }: FollowersCount): Promise<number | null> {
      const id = `${kind}:`;
      const { from, where } = followersOf({ kind, id, subject: '', userId: callerId }, 'telegram');
      const [row] = await db.all<{ count: number | null }>(sql`
        SELECT iif(c.subscriber_count > ${MAX_COUNTED_FOLLOWERS}, NULL, (
          SELECT COUNT(DISTINCT s.subscriber_id)
          FROM ${from}
          JOIN ${CONNECTIONS.telegram(FOLLOWER)}
          WHERE ${where}
            AND ((c.fee_lamports = 0 AND c.is_hidden = 0) OR (s.starts_at <= ${now} AND s.ends_at > ${now})))) AS count
        FROM callers c
        WHERE c.caller_id = ${callerId}`);
      return row ? row.count : 0;
    },
  };
}

export interface FollowersCount {
  readonly callerId: string;
  readonly kind: CallEventKind;
  readonly now: number;
}

const FOLLOWER = sql`s.subscriber_id`;

/** A caller's followers who get an event of a call. Programs get all events, because they filter by themselves. */
export function followersOf({ id, kind, userId: callerId }: OutgoingEvent, channel: PeopleChannel): People {
  const { part: onlyIn } = readEventId(id);
  return {
    id: FOLLOWER,
    from: sql`periods s`,
    where: sql`
      s.caller_id = ${callerId} AND s.status = 'active'
      ${channel !== 'webhook' && isCallEventKind(kind) ? isWanted(kind) : sql``}
      ${channel === 'telegram' ? isWantedInPrivate(onlyIn) : sql``}
      ${onlyIn === null ? sql`` : isMember(onlyIn)}`,
  };
}

/** Followers on paper of the call's caller. Those who followed after the call was made needn't be told of its end. */
export const paperFollowersOf = (callId: string): People => ({
  id: sql`f.user_id`,
  from: sql`paper_follows f JOIN calls k ON k.caller_id = f.caller_id AND k.called_at >= f.since`,
  where: sql`k.id = ${callId}`,
});

/** Subscribers whose paid periods a silent day has extended. `subject`: the caller's id and the day's number. */
export function subscribersDuring(subject: string): People {
  const [callerId, number] = subject.split(':');
  return {
    id: FOLLOWER,
    from: sql`silent_days y JOIN periods s ON s.caller_id = y.caller_id`,
    where: sql`
      y.caller_id = ${callerId} AND y.number = ${Number(number)} AND s.status = 'active'
      AND s.payment_id IS NOT NULL AND s.starts_at <= y.at AND s.ends_at > y.at`,
  };
}

const isMember = (chatId: string) => sql`
      AND EXISTS (
        SELECT 1 FROM telegram_chats g CROSS JOIN chat_members m ON m.chat_id = g.chat_id
        WHERE g.chat_id = ${chatId} AND m.person_id = l.chat_id AND ${IS_IN})`;

/** Followers who are in another chat where the caller's calls are posted get events only there, unless they want both. */
const isWantedInPrivate = (chatId: string | null) => sql`
      AND (NOT EXISTS (${postingChatsWith(sql`l.chat_id`, sql`s.caller_id`)} AND g.chat_id IS NOT ${chatId}) OR EXISTS (
        SELECT 1 FROM notification_opt_outs WHERE user_id = s.subscriber_id AND kind = 'chat_only'))`;

const isWanted = (kind: CallEventKind) => sql`
      AND NOT EXISTS (
        SELECT 1 FROM notification_mutes WHERE user_id = s.subscriber_id AND caller_id = s.caller_id)
      AND NOT EXISTS (
        SELECT 1 FROM notification_opt_outs WHERE user_id = s.subscriber_id AND kind = ${kind})`;
