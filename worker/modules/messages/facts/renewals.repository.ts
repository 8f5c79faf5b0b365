import { sql } from 'drizzle-orm';
import { callers } from '#schema/tables/callers.ts';
import { subscriptions } from '#schema/tables/subscriptions.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { columnsOf, computed, selection, selectRow, selectRows, valuesOf } from '../../../shared/rows.ts';
import { callerStanding } from '../../money/callers/caller-standing.ts';
import { callerSummary } from '../../money/callers/caller-summary.ts';
import { boughtDays } from '../../money/subscriptions/reminders.repository.ts';
import { addSilentDays } from '../../money/subscriptions/silent-days.repository.ts';

const endColumns = selection(
  columnsOf(subscriptions, 'p', ['id', 'subscriberId', 'callerId']),
  computed<{ writtenEnd: number; endsAt: number; days: number | null; isLast: 0 | 1; isPaid: 0 | 1 }>({
    days: boughtDays('p.payment_id'),
    writtenEnd: 'p.written_end',
    endsAt: 'p.ends_at',
    isLast: `NOT EXISTS (
      SELECT 1 FROM subscriptions later
      WHERE later.subscriber_id = p.subscriber_id AND later.caller_id = p.caller_id
        AND (later.ends_at IS NULL OR later.ends_at > p.written_end))`,
    isPaid: 'c.fee_lamports > 0',
  }),
);

export function createRenewalsRepository(db: Database) {
  return {
    /**
     * The ends of these periods, with silent days up to now. `isLast`: the subscriber has no later period with the caller.
     * `writtenEnd` is without silent days and identifies the period. Leaves out periods without an end.
     */
    async listEnds(ids: readonly string[], now: number) {
      const periods = valuesOf(ids);
      const callerIds = sql`(SELECT caller_id FROM subscriptions WHERE id IN ${periods})`;
      await runBatch(db, [addSilentDays(callerIds, now)]);
      const query = sql`
        SELECT ${endColumns.list}
        FROM periods p
        JOIN callers c ON c.caller_id = p.caller_id
        WHERE p.id IN ${periods} AND p.written_end IS NOT NULL`;
      return selectRows(db, endColumns, query);
    },

    /**
     * `lastEnd` is the end of the last period, and `lastWrittenEnd` the same end without silent days. Both are null
     * without a subscription, or if a period has no end. `lastIsFree`: the last period was free.
     */
    async findTerms({ subscriberId, callerId }: { subscriberId: string; callerId: string }) {
      const ofPair = sql`FROM periods WHERE subscriber_id = ${subscriberId} AND caller_id = c.caller_id`;
      const last = sql`${ofPair} ORDER BY ends_at IS NULL DESC, ends_at DESC LIMIT 1`;
      const columns = selection(
        callerSummary,
        callerStanding,
        columnsOf(callers, 'c', ['fee_lamports', 'payout_address', 'deletes_at']),
        computed({
          lastEnd: sql<number | null>`(SELECT ends_at ${last})`,
          lastWrittenEnd: sql<number | null>`(SELECT written_end ${last})`,
          lastDays: sql<number | null>`(SELECT ${boughtDays('periods.payment_id')} ${last})`,
          lastIsFree: sql<0 | 1 | null>`(SELECT payment_id IS NULL ${last})`,
        }),
      );
      const query = sql`
        SELECT ${columns.list} FROM callers c JOIN users u ON u.id = c.caller_id
        WHERE c.caller_id = ${callerId}`;
      return selectRow(db, columns, query);
    },
  };
}
