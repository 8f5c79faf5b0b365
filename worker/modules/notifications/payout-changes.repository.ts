import { and, eq, sql } from 'drizzle-orm';
import { payoutChanges } from '#schema/tables/notices.ts';
import type { Database } from '../../shared/database.ts';
import { columnsOf, computed, selection, selectRows } from '../../shared/rows.ts';
import { hasChat } from './has-chat.ts';

const changeColumns = selection(
  columnsOf(payoutChanges, 'p', { seq: 'seq', callerId: 'caller_id' }),
  computed({ hasChat: hasChat(sql`p.caller_id`) }),
);

export type PayoutChangesRepository = ReturnType<typeof createPayoutChangesRepository>;

/** Changes of payout wallets, written by a trigger. Times are unix ms. */
export function createPayoutChangesRepository(db: Database) {
  return {
    /** Changes that the sender has not accepted yet, oldest first. */
    async listNew(limit: number) {
      const query = sql`
        SELECT ${changeColumns.list} FROM payout_changes p
        WHERE p.queued_at IS NULL ORDER BY p.at, p.seq LIMIT ${limit}`;
      return selectRows(db, changeColumns, query);
    },

    async markAccepted({ seqs, now }: { seqs: readonly number[]; now: number }): Promise<void> {
      await db.run(sql`
        UPDATE payout_changes SET queued_at = ${now}
        WHERE queued_at IS NULL AND seq IN (SELECT value FROM json_each(${JSON.stringify(seqs)}))`);
    },

    async find({ seq, callerId }: { seq: number; callerId: string }) {
      const [row] = await db
        .select()
        .from(payoutChanges)
        .where(and(eq(payoutChanges.seq, seq), eq(payoutChanges.callerId, callerId)));
      return row ?? null;
    },
  };
}
