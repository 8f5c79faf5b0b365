import { sql } from 'drizzle-orm';
import { OUTBOX_BATCH_SIZE } from '#schema/constants.ts';
import { payoutChanges } from '#schema/tables/notices.ts';
import { devices } from '#schema/tables/sessions.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { EventOf, Outbox } from '../../../ports/outbox.ts';
import type { Database } from '../../../shared/database.ts';
import { columnsOf, computed, selection, selectRows, valuesOf } from '../../../shared/rows.ts';
import { isReachable } from './is-reachable.ts';

export type QueuedKind = 'payout_changed' | 'new_device';

const changeColumns = selection(
  columnsOf(payoutChanges, 'n', { seq: 'seq', userId: 'caller_id' }),
  computed({ isReachable: isReachable(sql`n.caller_id`) }),
);

const deviceColumns = selection(
  columnsOf(devices, 'n', { seq: 'seq', userId: 'user_id' }),
  computed({ isReachable: isReachable(sql`n.user_id`) }),
);

const queues = {
  payout_changed: { table: payoutChanges, columns: changeColumns },
  new_device: { table: devices, columns: deviceColumns },
} as const;

export type NoticeQueue = ReturnType<typeof createNoticeQueue>;

/** The notices of one kind that the sender has not accepted yet. Times are unix ms. */
export function createNoticeQueue(db: Database, kind: QueuedKind) {
  const { table, columns } = queues[kind];
  return {
    /** Oldest first. */
    async listNew(limit: number) {
      const query = sql`
        SELECT ${columns.list} FROM ${table} n
        WHERE n.queued_at IS NULL ORDER BY n.at, n.seq LIMIT ${limit}`;
      return selectRows(db, columns, query);
    },

    async markAccepted({ seqs, now }: { seqs: readonly number[]; now: number }): Promise<void> {
      await db.run(sql`
        UPDATE ${table} SET queued_at = ${now}
        WHERE queued_at IS NULL AND seq IN ${valuesOf(seqs)}`);
    },
  };
}

interface PassingOn {
  readonly kind: QueuedKind;
  readonly queue: NoticeQueue;
  readonly outbox: Pick<Outbox, 'add'>;
  readonly clock: Clock;
}

/**
 * Gives new notices to the sender. Marks the notices of users without a chat as accepted, but doesn't send
 * them. Two runs may overlap. Returns the number of notices that the sender got.
 */
export async function passOnNotices({ kind, queue, outbox, clock }: PassingOn): Promise<number> {
  const notices = await queue.listNew(OUTBOX_BATCH_SIZE);
  if (notices.length === 0) return 0;
  const events = notices
    .filter((notice) => notice.isReachable === 1)
    .map(({ seq, userId }): EventOf<QueuedKind> => ({ kind, id: `${kind}:${seq}`, userId, seq }));
  if (events.length > 0) await outbox.add(events);
  await queue.markAccepted({ seqs: notices.map(({ seq }) => seq), now: clock.now() });
  return events.length;
}
