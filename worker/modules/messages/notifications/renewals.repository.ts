import { sql, type SQL } from 'drizzle-orm';
import type { RenewalStage } from '#schema/rules/access/renewal.ts';
import { callers } from '#schema/tables/callers.ts';
import { subscriptions } from '#schema/tables/subscriptions.ts';
import { callerSummary } from '../../money/callers/caller-summary.ts';
import type { Database } from '../../../shared/database.ts';
import { keysetPage, type KeysetCursor } from '../../../shared/keyset.ts';
import { hasPendingReminder } from '../../money/subscriptions/pending-reminder.ts';
import {
  columnsOf,
  computed,
  present,
  type SelectedRow,
  selection,
  selectRow,
  selectRows,
  valuesOf,
} from '../../../shared/rows.ts';
import { addSilentDays, noteExtensions } from '../../money/subscriptions/silent-days.repository.ts';
import { isReachable } from './is-reachable.ts';

const endColumns = (stage: RenewalStage) =>
  selection(
    columnsOf(subscriptions, 's', { id: 'id', subscriberId: 'subscriber_id', callerId: 'caller_id' }),
    present(columnsOf(subscriptions, 's', { endsAt: 'ends_at', knownEnd: 'known_end' })),
    computed({
      movedEnd: sql<number>`(SELECT ends_at FROM periods WHERE id = s.id)`,
      isPending: sql<0 | 1>`${hasPendingReminder(stage)}`,
      isReachable: isReachable(sql`s.subscriber_id`),
    }),
  );

/**
 * A subscription that ends. `endsAt` is without silent days, and identifies the period. `isPending`: its reminder of this
 * stage is still needed and hasn't been sent.
 */
export type SubscriptionEnd = SelectedRow<ReturnType<typeof endColumns>>;

interface StageRange {
  readonly stage: RenewalStage;
  readonly after: number;
  readonly until: number;
}

interface EndsQuery extends StageRange {
  readonly cursor: KeysetCursor | null;
  readonly limit: number;
}

interface LostQuery extends StageRange {
  readonly lostAfter: number;
  readonly lostUpTo: number;
}

interface SentReminders {
  readonly reminders: readonly SubscriptionEnd[];
  readonly stages: readonly RenewalStage[];
  readonly now: number;
}

export type RenewalsRepository = ReturnType<typeof createRenewalsRepository>;

export function createRenewalsRepository(db: Database) {
  return {
    /** Lists subscriptions whose last known end is after `after` and no later than `until`. The soonest comes first. */
    async listEnds({ stage, after, until, cursor, limit }: EndsQuery): Promise<SubscriptionEnd[]> {
      const columns = endColumns(stage);
      // SQLite's index search uses only one lower bound, so combine `after` and the cursor into one.
      const from = Math.max(after, (cursor?.value ?? 0) - 1);
      const select = sql`
        SELECT ${columns.list}
        FROM subscriptions s
        WHERE s.status = 'active' AND s.known_end > ${from} AND s.known_end <= ${until}`;
      const query = keysetPage({
        select,
        value: sql`s.known_end`,
        id: sql`s.id`,
        order: 'asc',
        cursor,
        limit,
      });
      return selectRows(db, columns, query);
    },

    /** The last of the next ledger entries after `after` that revoked or refunded a period. Null if there are none. */
    async findLost({ after, limit }: { after: number; limit: number }): Promise<number | null> {
      const [row] = await db.all<{ seq: number | null }>(sql`
        SELECT MAX(seq) AS seq FROM (
          SELECT seq FROM payment_ledger INDEXED BY payment_ledger_lost
          WHERE kind IN ('revoked', 'refunded') AND seq > ${after}
          ORDER BY seq
          LIMIT ${limit})`);
      return row?.seq ?? null;
    },

    /** Like `listEnds`, for the pairs that have lost a period in these entries of the ledger. */
    async listEndsBeforeLost({ stage, after, until, ...lost }: LostQuery): Promise<SubscriptionEnd[]> {
      const columns = endColumns(stage);
      const query = sql`
        SELECT DISTINCT ${columns.list}
        FROM payment_ledger l INDEXED BY payment_ledger_lost
        CROSS JOIN payments p ON p.id = l.payment_id
        CROSS JOIN subscriptions s ON s.subscriber_id = p.user_id AND s.caller_id = p.caller_id
        WHERE l.kind IN ('revoked', 'refunded') AND l.seq > ${lost.lostAfter} AND l.seq <= ${lost.lostUpTo}
          AND s.status = 'active' AND s.known_end > ${after} AND s.known_end <= ${until}`;
      return selectRows(db, columns, query);
    },

    /** Must precede a reminder, because silent days may move the end. */
    async addSilentDays(callerIds: readonly string[], now: number): Promise<void> {
      await db.run(addSilentDays(valuesOf([...new Set(callerIds)]), now));
    },

    /** Ends that silent days have moved are listed again when their new time comes. */
    async noteExtensions(ids: readonly string[]): Promise<void> {
      await db.run(noteExtensions(valuesOf(ids)));
    },

    /** Also marks users without a chat. Otherwise connecting a chat later would send old reminders. */
    markSent({ reminders, stages, now }: SentReminders): SQL {
      return sql`
        INSERT INTO renewal_notices (subscriber_id, caller_id, ends_at, days, at)
        SELECT sent.value ->> 'subscriberId', sent.value ->> 'callerId', sent.value ->> 'endsAt', stage.value, ${now}
        FROM json_each(${JSON.stringify(reminders)}) sent, json_each(${JSON.stringify(stages)}) stage
        WHERE true
        ON CONFLICT DO NOTHING`;
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
        columnsOf(callers, 'c', {
          feeLamports: 'fee_lamports',
          payoutAddress: 'payout_address',
          deletesAt: 'deletes_at',
        }),
        computed({
          lastEnd: sql<number | null>`(SELECT ends_at ${last})`,
          lastWrittenEnd: sql<number | null>`(SELECT written_end ${last})`,
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
