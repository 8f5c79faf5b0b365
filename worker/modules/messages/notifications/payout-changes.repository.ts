import { and, eq } from 'drizzle-orm';
import { payoutChanges } from '#schema/tables/notices.ts';
import type { Database } from '../../../shared/database.ts';
import { createNoticeQueue } from './notice-queue.ts';

export type PayoutChangesRepository = ReturnType<typeof createPayoutChangesRepository>;

/** Changes of payout wallets, written by a trigger. Times are unix ms. */
export function createPayoutChangesRepository(db: Database) {
  return {
    ...createNoticeQueue(db, 'payout_changed'),

    async find({ seq, callerId }: { seq: number; callerId: string }) {
      const [row] = await db
        .select()
        .from(payoutChanges)
        .where(and(eq(payoutChanges.seq, seq), eq(payoutChanges.callerId, callerId)));
      return row ?? null;
    },
  };
}
