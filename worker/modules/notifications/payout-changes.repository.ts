import { and, eq, sql } from 'drizzle-orm';
import { payoutChanges } from '#schema/tables/notices.ts';
import type { Database } from '../../shared/database.ts';

export type PayoutChangeRow = typeof payoutChanges.$inferSelect;

/** A change that the sender has not taken over yet. */
export interface NewChange {
  readonly seq: number;
  readonly callerId: string;
  /** 1 if the caller has connected a chat. */
  readonly hasChat: 0 | 1;
}

export type PayoutChangesRepository = ReturnType<typeof createPayoutChangesRepository>;

/** Changes of payout wallets, written by a trigger. Times are unix ms. */
export function createPayoutChangesRepository(db: Database) {
  return {
    async listNew(limit: number): Promise<NewChange[]> {
      return db.all<NewChange>(sql`
        SELECT p.seq, p.caller_id AS callerId,
          EXISTS (SELECT 1 FROM telegram_links WHERE user_id = p.caller_id AND chat_id IS NOT NULL) AS hasChat
        FROM payout_changes p
        WHERE p.queued_at IS NULL ORDER BY p.at, p.seq LIMIT ${limit}`);
    },

    async markTaken({ seqs, now }: { seqs: readonly number[]; now: number }): Promise<void> {
      await db.run(sql`
        UPDATE payout_changes SET queued_at = ${now}
        WHERE queued_at IS NULL AND seq IN (SELECT value FROM json_each(${JSON.stringify(seqs)}))`);
    },

    async find({ seq, callerId }: { seq: number; callerId: string }): Promise<PayoutChangeRow | null> {
      const [row] = await db
        .select()
        .from(payoutChanges)
        .where(and(eq(payoutChanges.seq, seq), eq(payoutChanges.callerId, callerId)));
      return row ?? null;
    },
  };
}
