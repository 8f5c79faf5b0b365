import { and, eq, isNull, sql } from 'drizzle-orm';
import { calls } from '#schema/tables/calls.ts';
import type { NoticeEvent } from '../../../ports/outbox.ts';
import type { Database } from '../../../shared/database.ts';
import { keysetPage, type KeysetCursor } from '../../../shared/keyset.ts';
import { columnsOf, computed, selection, selectRows } from '../../../shared/rows.ts';
import { isReachable } from './is-reachable.ts';

const columns = selection(
  columnsOf(calls, 'k', { id: 'id', callerId: 'caller_id', calledAt: 'called_at' }),
  computed({ isReachable: isReachable(sql`k.caller_id`) }),
);

export type EndNoticesRepository = ReturnType<typeof createEndNoticesRepository>;

export function createEndNoticesRepository(db: Database) {
  return {
    /** Open calls made after the cursor and at `until` or before, oldest first. */
    listOpen({ until, cursor, limit }: { until: number; cursor: KeysetCursor; limit: number }) {
      const select = sql`SELECT ${columns.list} FROM calls k WHERE k.ended_at IS NULL AND k.called_at <= ${until}`;
      const query = keysetPage({ select, value: 'k.called_at', id: 'k.id', order: 'asc', cursor, limit });
      return selectRows(db, columns, query);
    },

    /** The user's call, if it's still open. */
    async findOpen({ userId, subject }: Pick<NoticeEvent, 'userId' | 'subject'>) {
      const { id, callerId, tokenSymbol, tokenName, tokenMint, calledAt, endedAt } = calls;
      const [call] = await db
        .select({ tokenSymbol, tokenName, tokenMint, calledAt })
        .from(calls)
        .where(and(eq(id, subject), eq(callerId, userId), isNull(endedAt)));
      return call ?? null;
    },
  };
}
