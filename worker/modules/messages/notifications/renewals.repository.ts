import { sql } from 'drizzle-orm';
import type { RenewalStage } from '#schema/rules/access/renewal.ts';
import { callers } from '#schema/tables/callers.ts';
import { subscriptions } from '#schema/tables/subscriptions.ts';
import { callerSummary } from '../../../shared/caller-summary.ts';
import type { Database } from '../../../shared/database.ts';
import { keysetPage, type KeysetCursor } from '../../../shared/keyset.ts';
import { hasPendingReminder } from '../../../shared/pending-reminder.ts';
import {
  columnsOf,
  computed,
  present,
  selection,
  selectRows,
  type SelectedRow,
} from '../../../shared/rows.ts';
import { isReachable } from './is-reachable.ts';

const endColumns = (stage: RenewalStage) =>
  selection(
    columnsOf(subscriptions, 's', { id: 'id', subscriberId: 'subscriber_id', callerId: 'caller_id' }),
    present(columnsOf(subscriptions, 's', { endsAt: 'ends_at' })),
    computed({
      isPending: sql<0 | 1>`${hasPendingReminder(stage)}`,
      isReachable: isReachable(sql`s.subscriber_id`),
    }),
  );

/** A subscription that ends. `isPending`: its reminder of this stage is still needed and hasn't been sent. */
export type SubscriptionEnd = SelectedRow<ReturnType<typeof endColumns>>;

interface EndsQuery {
  readonly stage: RenewalStage;
  readonly after: number;
  readonly until: number;
  readonly cursor: KeysetCursor | null;
  readonly limit: number;
}

interface SentReminders {
  readonly reminders: readonly SubscriptionEnd[];
  readonly stages: readonly RenewalStage[];
  readonly now: number;
}

export type RenewalsRepository = ReturnType<typeof createRenewalsRepository>;

/** Subscriptions that end, and the reminders sent about them. Times are unix ms. */
export function createRenewalsRepository(db: Database) {
  return {
    /** Lists subscriptions that end after `after` and no later than `until`. The soonest end comes first. */
    async listEnds({ stage, after, until, cursor, limit }: EndsQuery): Promise<SubscriptionEnd[]> {
      const columns = endColumns(stage);
      // SQLite's index search uses only one lower bound, so combine `after` and the cursor into one.
      const from = Math.max(after, (cursor?.value ?? 0) - 1);
      const select = sql`
        SELECT ${columns.list}
        FROM subscriptions s
        WHERE s.status = 'active' AND s.ends_at > ${from} AND s.ends_at <= ${until}`;
      const query = keysetPage({ select, value: sql`s.ends_at`, id: sql`s.id`, order: 'asc', cursor, limit });
      return selectRows(db, columns, query);
    },

    async markSent({ reminders, stages, now }: SentReminders): Promise<void> {
      await db.run(sql`
        INSERT INTO renewal_notices (subscriber_id, caller_id, ends_at, days, at)
        SELECT sent.value ->> 'subscriberId', sent.value ->> 'callerId', sent.value ->> 'endsAt', stage.value, ${now}
        FROM json_each(${JSON.stringify(reminders)}) sent, json_each(${JSON.stringify(stages)}) stage
        WHERE true
        ON CONFLICT DO NOTHING`);
    },

    /**
     * `lastEnd` is the end of the last period. It is null without a subscription, or if a period has no end.
     * `lastIsFree`: the last period was free.
     */
    async findTerms({ subscriberId, callerId }: { subscriberId: string; callerId: string }) {
      const periods = sql`FROM subscriptions WHERE subscriber_id = ${subscriberId} AND caller_id = c.caller_id`;
      const columns = selection(
        callerSummary,
        columnsOf(callers, 'c', {
          feeLamports: 'fee_lamports',
          payoutAddress: 'payout_address',
          deletesAt: 'deletes_at',
        }),
        computed({
          lastEnd: sql<
            number | null
          >`(SELECT CASE WHEN COUNT(ends_at) = COUNT(*) THEN MAX(ends_at) END ${periods})`,
          lastIsFree: sql<0 | 1 | null>`(SELECT payment_id IS NULL ${periods} ORDER BY ends_at DESC LIMIT 1)`,
        }),
      );
      const query = sql`
        SELECT ${columns.list} FROM callers c JOIN users u ON u.id = c.caller_id
        WHERE c.caller_id = ${callerId}`;
      const [row] = await selectRows(db, columns, query);
      return row ?? null;
    },
  };
}
