import { sql } from 'drizzle-orm';
import { calls } from '#schema/tables/calls.ts';
import { silentDays } from '#schema/tables/silent-days.ts';
import type { Database } from '../../../shared/database.ts';
import { keysetPage, type KeysetCursor } from '../../../shared/keyset.ts';
import {
  columnsOf,
  computed,
  selection,
  selectRow,
  selectRows,
  type SelectedRow,
} from '../../../shared/rows.ts';
import { isReachable } from './is-reachable.ts';

const callColumns = selection(
  columnsOf(calls, 'k', { id: 'id', callerId: 'caller_id', calledAt: 'called_at' }),
  computed({ isReachable: isReachable(sql`k.caller_id`) }),
);

const began = columnsOf(silentDays, 'd', { callerId: 'caller_id', number: 'number', at: 'at' });

type BegunSilence = SelectedRow<typeof began>;

const paperEnd = columnsOf(calls, 'k', { callId: 'id', callerId: 'caller_id', calledAt: 'called_at' });

type PaperEnd = SelectedRow<typeof paperEnd>;

export interface Person {
  readonly id: string;
  readonly isReachable: 0 | 1;
}

export interface PeoplePage {
  readonly after: string;
  readonly limit: number;
}

export function createDueNoticesRepository(db: Database) {
  return {
    listOpenCalls({ until, cursor, limit }: { until: number; cursor: KeysetCursor; limit: number }) {
      const select = sql`SELECT ${callColumns.list} FROM calls k WHERE k.ended_at IS NULL AND k.called_at <= ${until}`;
      const query = keysetPage({ select, value: 'k.called_at', id: 'k.id', order: 'asc', cursor, limit });
      return selectRows(db, callColumns, query);
    },

    async findUnsentSilence(): Promise<BegunSilence | null> {
      const query = sql`
        SELECT ${began.list} FROM silent_days d
        WHERE d.queued_at IS NULL AND d.day_of_silence = 1
        ORDER BY d.at, d.caller_id
        LIMIT 1`;
      return selectRow(db, began, query);
    },

    /** One page of the subscribers whose paid periods the day has extended, by id after `after`. */
    async listSubscribers({ callerId, at }: BegunSilence, { after, limit }: PeoplePage) {
      const columns = computed<Person>({
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

    async findPaperEnd(): Promise<PaperEnd | null> {
      const query = sql`
        SELECT ${paperEnd.list} FROM paper_notices n JOIN calls k ON k.id = n.call_id
        ORDER BY n.rowid
        LIMIT 1`;
      return selectRow(db, paperEnd, query);
    },

    /** One page of the caller's followers on paper, by id. Those who followed after the call was made needn't be told. */
    async listPaperFollowers({ callerId, calledAt }: PaperEnd, { after, limit }: PeoplePage) {
      const columns = computed<Person>({
        id: sql<string>`f.user_id`,
        isReachable: sql<0 | 1>`(f.since <= ${calledAt} AND ${isReachable(sql`f.user_id`)})`,
      });
      const query = sql`
        SELECT ${columns.list} FROM paper_follows f
        WHERE f.caller_id = ${callerId} AND f.user_id > ${after}
        ORDER BY f.user_id
        LIMIT ${limit}`;
      return selectRows(db, columns, query);
    },

    deletePaperEnd: ({ callId }: PaperEnd) => sql`DELETE FROM paper_notices WHERE call_id = ${callId}`,

    markSilenceSent: ({ callerId, number }: BegunSilence, now: number) => sql`
      UPDATE silent_days SET queued_at = ${now} WHERE caller_id = ${callerId} AND number = ${number}`,
  };
}
