import { sql } from 'drizzle-orm';
import { silentDays } from '#schema/tables/silent-days.ts';
import type { NoticeEvent } from '../../../ports/outbox.ts';
import { callerSummary } from '../../../shared/caller-summary.ts';
import type { Database } from '../../../shared/database.ts';
import { columnsOf, computed, selection, selectRows, type SelectedRow } from '../../../shared/rows.ts';
import { isReachable } from './is-reachable.ts';

const began = columnsOf(silentDays, 'd', { callerId: 'caller_id', number: 'number', at: 'at' });

export type BegunSilence = SelectedRow<typeof began>;

/** The first days of silences. Times are unix ms. */
export function createSilenceNoticesRepository(db: Database) {
  return {
    async findUnsent(): Promise<BegunSilence | null> {
      const query = sql`
        SELECT ${began.list} FROM silent_days d
        WHERE d.queued_at IS NULL AND d.day_of_silence = 1
        ORDER BY d.at, d.caller_id
        LIMIT 1`;
      return (await selectRows(db, began, query))[0] ?? null;
    },

    /** One page of the subscribers whose paid periods the day has extended, by id after `after`. */
    async listSubscribers(
      { callerId, at }: BegunSilence,
      { after, limit }: { after: string; limit: number },
    ) {
      const columns = computed<{ id: string; isReachable: 0 | 1 }>({
        id: sql<string>`s.subscriber_id`,
        isReachable: isReachable(sql`s.subscriber_id`),
      });
      const query = sql`
        SELECT DISTINCT ${columns.list} FROM periods s
        WHERE s.caller_id = ${callerId} AND s.status = 'active' AND s.subscriber_id > ${after}
          AND s.payment_id IS NOT NULL AND s.starts_at <= ${at} AND s.ends_at > ${at}
        ORDER BY s.subscriber_id
        LIMIT ${limit}`;
      return selectRows(db, columns, query);
    },

    markSent: ({ callerId, number }: BegunSilence, now: number) => sql`
      UPDATE silent_days SET queued_at = ${now} WHERE caller_id = ${callerId} AND number = ${number}`,

    /** The silence, with the end of the user's paid time. It is null for the caller. */
    async find({ userId, subject }: Pick<NoticeEvent, 'userId' | 'subject'>) {
      const [callerId, number] = subject.split(':');
      const columns = selection(
        columnsOf(silentDays, 'd', { callerId: 'caller_id', since: 'since' }),
        callerSummary,
        computed<{ endsAt: number | null }>({
          endsAt: sql<number | null>`(
            SELECT MAX(ends_at) FROM periods
            WHERE subscriber_id = ${userId} AND caller_id = d.caller_id AND payment_id IS NOT NULL)`,
        }),
      );
      const query = sql`
        SELECT ${columns.list} FROM silent_days d JOIN users u ON u.id = d.caller_id
        WHERE d.caller_id = ${callerId} AND d.number = ${Number(number)}`;
      return (await selectRows(db, columns, query))[0] ?? null;
    },
  };
}
