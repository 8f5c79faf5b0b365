import { sql, type SQL } from 'drizzle-orm';
import { DAY_MS, MAX_CALLS_PER_DAY } from '#schema/constants.ts';
import type { RecapCall } from '#schema/rules/calls/recap.ts';
import { calls } from '#schema/tables/calls.ts';
import { telegramChats } from '#schema/tables/telegram-chats.ts';
import type { Database } from '../../../shared/database.ts';
import { columnsOf, selectRows, type SelectedRow } from '../../../shared/rows.ts';

const chatColumns = columnsOf(telegramChats, 'c', { chatId: 'chat_id', callerId: 'caller_id' });
const callColumns = columnsOf(calls, 'k', { symbol: 'token_symbol', countedChange: 'counted_change' });

/** A connected chat of a caller whom operators haven't restricted. */
export type OpenChat = SelectedRow<typeof chatColumns>;

export interface RecapQuery {
  readonly callerId: string;
  readonly from: number;
  readonly until: number;
}

export type RecapsRepository = ReturnType<typeof createRecapsRepository>;

/** Chats in which the bot responds, and callers' ended calls. Times are unix ms. */
export function createRecapsRepository(db: Database) {
  const list = (where: SQL) =>
    selectRows(
      db,
      chatColumns,
      sql`
        SELECT ${chatColumns.list}
        FROM telegram_chats c JOIN users u ON u.id = c.caller_id
        WHERE c.is_connected = 1 AND u.is_suspended = 0 AND u.is_hidden = 0 AND ${where}`,
    );

  return {
    async findChat(chatId: string): Promise<OpenChat | null> {
      return (await list(sql`c.chat_id = ${chatId}`))[0] ?? null;
    },

    /** A caller's ended calls in a period of at most about a month. */
    listEnded({ callerId, from, until }: RecapQuery): Promise<RecapCall[]> {
      const limit = MAX_CALLS_PER_DAY * Math.ceil((until - from) / DAY_MS + 1);
      return selectRows(
        db,
        callColumns,
        sql`
          SELECT ${callColumns.list}
          FROM calls k INDEXED BY calls_history
          WHERE k.caller_id = ${callerId} AND k.ended_at > ${from} AND k.ended_at <= ${until}
          ORDER BY k.ended_at DESC
          LIMIT ${limit}`,
      );
    },

    /** Takes chats that want the recap of the week before `monday` and haven't got it. Each is taken once. */
    async takeDue({ monday, limit }: { monday: number; limit: number }): Promise<OpenChat[]> {
      const taken = await db.all<{ chat_id: string }>(sql`
        UPDATE telegram_chats SET recap_at = ${monday}
        WHERE chat_id IN (
          SELECT chat_id FROM telegram_chats
          WHERE posts_recap = 1 AND is_connected = 1 AND recap_at < ${monday}
          ORDER BY recap_at
          LIMIT ${limit})
        RETURNING chat_id`);
      return list(
        sql`c.chat_id IN (SELECT value FROM json_each(${JSON.stringify(taken.map((row) => row.chat_id))}))`,
      );
    },
  };
}
