import { sql } from 'drizzle-orm';
import { payoutChanges } from '#schema/tables/notices.ts';
import { callEvents, paymentNotices } from '#schema/tables/notifications.ts';
import { refunds } from '#schema/tables/payment-ledger.ts';
import { devices } from '#schema/tables/sessions.ts';
import type { NoticeKind } from '../../../ports/outbox.ts';
import type { Database } from '../../../shared/database.ts';
import { computed, selectRows, valuesOf } from '../../../shared/rows.ts';
import { isReachable } from './is-reachable.ts';

/** Events that are new until the sender has accepted them. `userId`: the user who gets a message of their own. */
const sources = {
  call_event: { table: callEvents, key: sql`n.id`, userId: sql<string>`n.caller_id` },
  new_device: { table: devices, key: sql`n.seq`, userId: sql<string>`n.user_id` },
  payout_changed: { table: payoutChanges, key: sql`n.seq`, userId: sql<string>`n.caller_id` },
  payment_received: {
    table: paymentNotices,
    key: sql`n.payment_id`,
    userId: sql<string>`(SELECT caller_id FROM payments WHERE id = n.payment_id)`,
  },
  payment_refunded: {
    table: refunds,
    key: sql`n.reference`,
    userId: sql<string>`(SELECT user_id FROM payments WHERE id = n.payment_id)`,
  },
} as const;

export type EventSource = keyof typeof sources;

export interface NewEvent {
  readonly key: string | number;
  readonly userId: string;
  readonly callId: string | null;
  readonly at: number;
  readonly notice: NoticeKind | null;
  readonly isReachable: 0 | 1;
}

export type NewEventsRepository = ReturnType<typeof createNewEventsRepository>;

/** Events that the sender has not accepted yet. An event is inserted in the same batch as its change. */
export function createNewEventsRepository(db: Database) {
  return {
    async listNew(source: EventSource, limit: number) {
      const { table, key, userId } = sources[source];
      const isOfCall = source === 'call_event';
      const columns = computed<NewEvent>({
        key: sql<string | number>`${key}`,
        userId,
        callId: isOfCall ? sql<string>`n.call_id` : sql<null>`NULL`,
        at: sql<number>`n.at`,
        // Call events go to followers. A hit price level also gives the caller a notice.
        notice: isOfCall
          ? sql<NoticeKind | null>`iif(n.kind = 'level_hit', 'own_level_hit', NULL)`
          : sql<NoticeKind>`${source}`,
        isReachable: isReachable(userId),
      });
      const query = sql`
        SELECT ${columns.list} FROM ${table} n
        WHERE n.queued_at IS NULL AND n.at IS NOT NULL
        ORDER BY n.at, n.rowid
        LIMIT ${limit}`;
      return selectRows(db, columns, query);
    },

    async markAccepted(
      source: EventSource,
      { keys, now }: { keys: readonly NewEvent['key'][]; now: number },
    ) {
      const { table, key } = sources[source];
      await db.run(sql`
        UPDATE ${table} AS n SET queued_at = ${now}
        WHERE n.queued_at IS NULL AND ${key} IN ${valuesOf(keys)}`);
    },
  };
}
