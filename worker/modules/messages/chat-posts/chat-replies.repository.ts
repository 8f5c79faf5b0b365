import { sql } from 'drizzle-orm';
import type { Database } from '../../../shared/database.ts';
import { valuesOf } from '../../../shared/rows.ts';

export interface ToldEvents {
  readonly chatId: string;
  readonly eventIds: readonly string[];
  /** The reply. Null if the members were told by the call's message, or in private. */
  readonly messageId: number | null;
}

export function createChatRepliesRepository(db: Database) {
  return {
    async listTold({ chatId, eventIds }: Omit<ToldEvents, 'messageId'>): Promise<ReadonlySet<string>> {
      const rows = await db.all<{ id: string }>(sql`
        SELECT event_id AS id FROM chat_replies
        WHERE chat_id = ${chatId} AND event_id IN ${valuesOf(eventIds)}`);
      return new Set(rows.map(({ id }) => id));
    },

    async save({ chatId, eventIds, messageId }: ToldEvents): Promise<void> {
      await db.run(sql`
        INSERT INTO chat_replies (chat_id, event_id, message_id)
        SELECT g.chat_id, value, ${messageId}
        FROM telegram_chats g CROSS JOIN json_each(${JSON.stringify(eventIds)})
        WHERE g.chat_id = ${chatId}
        ON CONFLICT DO NOTHING`);
    },

    /** Finds the reply with an event, and all events in it. */
    async findReply(reply: { chatId: string; eventId: string }) {
      const rows = await db.all<{ messageId: number; eventId: string }>(sql`
        SELECT o.message_id AS messageId, o.event_id AS eventId
        FROM chat_replies r
        JOIN chat_replies o ON o.chat_id = r.chat_id AND o.message_id = r.message_id
        JOIN call_events e ON e.id = o.event_id
        WHERE r.chat_id = ${reply.chatId} AND r.event_id = ${reply.eventId}
        ORDER BY e.at, e.kind = 'call_ended', o.rowid`);
      const [first] = rows;
      return first ? { messageId: first.messageId, eventIds: rows.map(({ eventId }) => eventId) } : null;
    },
  };
}
