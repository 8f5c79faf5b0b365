import { sql } from 'drizzle-orm';
import { DELIVERY_LEASE_MS } from '#schema/constants.ts';
import type { NotificationKind } from '#schema/contracts/notifications.ts';
import { runBatch, type Database } from '../../shared/database.ts';

/** A message to one chat about one event. */
export interface Delivery {
  readonly eventId: string;
  readonly chatId: string;
}

export type Outcome = 'delivered' | 'unreachable' | 'failed';

/** Somebody who has connected a chat, and what they do not want to be told there. */
export interface Recipient {
  readonly chatId: string;
  readonly switchedOff: ReadonlySet<NotificationKind>;
  readonly mutedCallers: ReadonlySet<string>;
}

/** A delivery that another attempt has begun or done. */
export interface OtherClaim extends Delivery {
  readonly claimedAt: number;
  readonly outcome: Outcome | null;
}

export type DeliveriesRepository = ReturnType<typeof createDeliveriesRepository>;

/** Which chat was told of which event. Times are unix ms. */
export function createDeliveriesRepository(db: Database) {
  const listed = (values: readonly unknown[]) => sql`json_each(${JSON.stringify(values)})`;
  const isAmong = (deliveries: readonly Delivery[]) =>
    sql`(event_id, chat_id) IN (SELECT value ->> 'eventId', value ->> 'chatId' FROM ${listed(deliveries)})`;

  return {
    /** Those of the users who have a chat, by id. */
    async listRecipients(userIds: readonly string[]): Promise<ReadonlyMap<string, Recipient>> {
      const rows = await db.all<{ user_id: string; chat_id: string; kinds: string; callers: string }>(sql`
        SELECT l.user_id, l.chat_id,
          (SELECT json_group_array(o.kind) FROM notification_opt_outs o WHERE o.user_id = l.user_id) AS kinds,
          (SELECT json_group_array(m.caller_id) FROM notification_mutes m WHERE m.user_id = l.user_id) AS callers
        FROM telegram_links l WHERE l.chat_id IS NOT NULL AND l.user_id IN (SELECT value FROM ${listed(userIds)})`);
      return new Map(
        rows.map((row) => [
          row.user_id,
          {
            chatId: row.chat_id,
            switchedOff: new Set(JSON.parse(row.kinds) as NotificationKind[]),
            mutedCallers: new Set(JSON.parse(row.callers) as string[]),
          },
        ]),
      );
    },

    /**
     * Begins deliveries, each unless it is done, or another attempt began it within the lease. One that was given up and is
     * handed over once more is begun anew, at once. Gives those that are ours.
     */
    async claim({ deliveries, now }: { deliveries: readonly Delivery[]; now: number }): Promise<Delivery[]> {
      return db.all<Delivery>(sql`
        INSERT INTO deliveries (event_id, chat_id, claimed_at) SELECT value ->> 'eventId', value ->> 'chatId', ${now} FROM ${listed(deliveries)} WHERE true
        ON CONFLICT DO UPDATE SET claimed_at = excluded.claimed_at, outcome = NULL
        WHERE outcome = 'failed' OR (outcome IS NULL AND claimed_at <= ${now - DELIVERY_LEASE_MS})
        RETURNING event_id AS eventId, chat_id AS chatId`);
    },

    async listClaims(deliveries: readonly Delivery[]): Promise<OtherClaim[]> {
      return db.all<OtherClaim>(
        sql`SELECT event_id AS eventId, chat_id AS chatId, claimed_at AS claimedAt, outcome FROM deliveries WHERE ${isAmong(deliveries)}`,
      );
    },

    /** Gives deliveries back that did not come about, for the next attempt. */
    async release(deliveries: readonly Delivery[]): Promise<void> {
      await db.run(sql`DELETE FROM deliveries WHERE outcome IS NULL AND ${isAmong(deliveries)}`);
    },

    /** Writes down what became of a delivery, claimed or not. The first outcome stays. A chat that cannot be reached is disconnected with it; the handle stays. */
    async record({
      eventId,
      chatId,
      outcome,
      now,
    }: Delivery & { outcome: Outcome; now: number }): Promise<void> {
      const record = sql`
        INSERT INTO deliveries (event_id, chat_id, claimed_at, outcome) VALUES (${eventId}, ${chatId}, ${now}, ${outcome})
        ON CONFLICT DO UPDATE SET outcome = excluded.outcome WHERE outcome IS NULL`;
      if (outcome === 'unreachable') {
        await runBatch(db, [
          record,
          sql`UPDATE telegram_links SET chat_id = NULL, connected_at = NULL WHERE chat_id = ${chatId}`,
        ]);
      } else await db.run(record);
    },

    /** Forgets deliveries that were begun by then, the oldest first. Returns how many. */
    async purge({ until, limit }: { until: number; limit: number }): Promise<number> {
      const { meta } = await db.run(
        sql`DELETE FROM deliveries WHERE rowid IN (SELECT rowid FROM deliveries WHERE claimed_at <= ${until} ORDER BY claimed_at LIMIT ${limit})`,
      );
      return meta.changes;
    },
  };
}
