import { sql } from 'drizzle-orm';
import type { NotificationKind } from '#schema/contracts/notifications.ts';
import type { Database } from '../../shared/database.ts';
import type { ClosingEvent, EventCounts } from './outbox.ts';

/** A connected user and what they have switched off. */
export interface Recipient {
  readonly chatId: string;
  readonly switchedOff: ReadonlySet<NotificationKind>;
  readonly mutedCallers: ReadonlySet<string>;
}

export type DeliveriesRepository = ReturnType<typeof createDeliveriesRepository>;

/** The sender's reads and writes in the product's database. */
export function createDeliveriesRepository(db: Database) {
  const listed = (values: readonly unknown[]) => sql`json_each(${JSON.stringify(values)})`;

  return {
    /** The users who have a chat, by id. */
    async listRecipients(userIds: readonly string[]): Promise<ReadonlyMap<string, Recipient>> {
      const rows = await db.all<{ user_id: string; chat_id: string; kinds: string; callers: string }>(sql`
        SELECT l.user_id, l.chat_id,
          (SELECT json_group_array(o.kind) FROM notification_opt_outs o WHERE o.user_id = l.user_id) AS kinds,
          (SELECT json_group_array(m.caller_id) FROM notification_mutes m WHERE m.user_id = l.user_id) AS callers
        FROM telegram_links l
        WHERE l.chat_id IS NOT NULL AND l.user_id IN (SELECT value FROM ${listed(userIds)})`);
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

    /** For a chat that can't get messages any more; the handle stays. */
    async disconnect(chatId: string): Promise<void> {
      await db.run(
        sql`UPDATE telegram_links SET chat_id = NULL, connected_at = NULL WHERE chat_id = ${chatId}`,
      );
    },

    /** Absolute numbers: writing them twice changes nothing. */
    async writeCounts(counts: readonly EventCounts[]): Promise<void> {
      await db.run(sql`
        UPDATE call_events SET recipients = now.value ->> 'recipients', delivered = now.value ->> 'delivered',
          unreachable = now.value ->> 'unreachable', failed = now.value ->> 'failed'
        FROM ${listed(counts)} now WHERE call_events.id = now.value ->> 'id'`);
    },

    /** Stores events that were given up, for operators. `now` is unix ms. */
    async writeFailures({ events, now }: { events: readonly ClosingEvent[]; now: number }): Promise<void> {
      await db.run(sql`
        INSERT INTO failed_deliveries (event_id, messages, error, at)
        SELECT value ->> 'id', value ->> 'unsent', value ->> 'error', ${now} FROM ${listed(events)} WHERE true
        ON CONFLICT DO NOTHING`);
    },
  };
}
