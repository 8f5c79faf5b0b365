import { sql, type SQL } from 'drizzle-orm';
import { callers } from '#schema/tables/callers.ts';
import { telegramChats } from '#schema/tables/telegram-chats.ts';
import type { Database } from '../../../shared/database.ts';
import { columnsOf, computed, selection, selectRows, type SelectedRow } from '../../../shared/rows.ts';

const columns = selection(
  columnsOf(telegramChats, 'c', {
    chatId: 'chat_id',
    callerId: 'caller_id',
    kind: 'kind',
    title: 'title',
    isConnected: 'is_connected',
    problem: 'problem',
    paidSince: 'paid_since',
    removesOthers: 'removes_others',
    postsRecap: 'posts_recap',
  }),
  columnsOf(callers, 'p', { feeLamports: 'fee_lamports', chargesSince: 'charges_since' }),
  computed<{ otherChatId: string | null }>({
    otherChatId: `(SELECT o.chat_id FROM telegram_chats o
      WHERE o.caller_id = c.caller_id AND o.kind <> c.kind AND o.is_connected = 1)`,
  }),
);

/** A caller's channel or group, with the caller's terms. */
export type ChatRow = SelectedRow<typeof columns>;

export type ChatsRepository = ReturnType<typeof createChatsRepository>;

/** Stores callers' channels and groups. Times are unix ms. */
export function createChatsRepository(db: Database) {
  const list = (where: SQL) => {
    const query = sql`
      SELECT ${columns.list} FROM telegram_chats c JOIN callers p ON p.caller_id = c.caller_id
      WHERE ${where}`;
    return selectRows(db, columns, query);
  };

  return {
    /** A channel or group that a caller has connected or still has to confirm. */
    async find(chatId: string): Promise<ChatRow | null> {
      return (await list(sql`c.chat_id = ${chatId}`))[0] ?? null;
    },

    /** Channels before groups. */
    findOfCaller: (callerId: string): Promise<ChatRow[]> =>
      list(sql`c.caller_id = ${callerId} ORDER BY c.kind, c.created_at`),
  };
}
