import { and, eq, lt, sql } from 'drizzle-orm';
import { MAX_CALLS_PER_DAY } from '#schema/constants/market.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import type { RecapCall } from '#schema/rules/calls/recap.ts';
import { telegramChats } from '#schema/tables/telegram-chats.ts';
import type { Database } from '../../../shared/database.ts';
import { computed, selectRows } from '../../../shared/rows.ts';

const columns = computed<RecapCall>({ symbol: 'k.token_symbol', countedChange: 'k.counted_change' });

export interface RecapQuery {
  readonly callerId: string;
  readonly from: number;
  readonly until: number;
}

export function createRecapsRepository(db: Database) {
  return {
    listEnded({ callerId, from, until }: RecapQuery): Promise<RecapCall[]> {
      const limit = MAX_CALLS_PER_DAY * Math.ceil((until - from) / DAY_MS + 1);
      const query = sql`
        SELECT ${columns.list}
        FROM calls k INDEXED BY calls_history
        WHERE k.caller_id = ${callerId} AND k.ended_at > ${from} AND k.ended_at <= ${until}
        ORDER BY k.ended_at DESC
        LIMIT ${limit}`;
      return selectRows(db, columns, query);
    },

    /** Notes the recap of the week before `monday`. Returns false for a chat that has it. */
    async takeWeek({ chatId, monday }: { chatId: string; monday: number }): Promise<boolean> {
      const rows = await db
        .update(telegramChats)
        .set({ recapAt: monday })
        .where(and(eq(telegramChats.chatId, chatId), lt(telegramChats.recapAt, monday)))
        .returning({ chatId: telegramChats.chatId });
      return rows.length === 1;
    },
  };
}
