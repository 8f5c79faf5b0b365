import { sql } from 'drizzle-orm';
import { ENDS_SOON_MS, SUBSCRIBER_NAMED_MS } from '#schema/constants/money.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import type { SubscriberFilter } from '#schema/contracts/subscriptions.ts';
import type { Database } from '../../../shared/database.ts';
import { keysetPage, type KeysetCursor } from '../../../shared/keyset.ts';
import { computed, optional, selection, selectRows, type SelectedRow } from '../../../shared/rows.ts';
import { namesSubscriber, subscriberName } from './subscribers.repository.ts';

const ofPair = sql`
  FROM subscriptions b
  WHERE b.subscriber_id = s.subscriber_id AND b.caller_id = s.caller_id AND b.payment_id IS NOT NULL`;

const subscriberSelection = selection(
  optional(subscriberName),
  computed<{
    id: string;
    subscriber_id: string;
    known_end: number;
    ends_at: number;
    since: number;
    paid: number;
  }>({
    id: 's.id',
    subscriber_id: 's.subscriber_id',
    known_end: 's.known_end',
    ends_at: 's.ends_at',
    // Without the +, SQLite would read the caller's periods in order until it finds one of the pair.
    since: sql`(SELECT MIN(+b.created_at) ${ofPair})`,
    paid: sql`(
      SELECT COUNT(*) ${ofPair}
        AND NOT EXISTS (SELECT 1 FROM payment_ledger WHERE payment_id = b.payment_id AND kind = 'refunded'))`,
  }),
);

export type SubscriberRow = SelectedRow<typeof subscriberSelection>;

export interface SubscribersQuery {
  readonly callerId: string;
  readonly show: SubscriberFilter;
  readonly now: number;
  readonly cursor: KeysetCursor | null;
  readonly limit: number;
}

/** The times after and until which the subscriptions end. */
const endsOf = (now: number): Record<SubscriberFilter, readonly [after: number, until: number]> => ({
  running: [now, Number.MAX_SAFE_INTEGER],
  ending: [now, now + ENDS_SOON_MS],
  ended: [now - SUBSCRIBER_NAMED_MS, now],
});

export type SubscriberListRepository = ReturnType<typeof createSubscriberListRepository>;

export function createSubscriberListRepository(db: Database) {
  return {
    /**
     * The people who pay the caller, by the end of their last paid period. The index has the ends that the cron last saw,
     * which silent days may have moved since.
     */
    async list({ callerId, show, now, ...page }: SubscribersQuery): Promise<SubscriberRow[]> {
      const [after, until] = endsOf(now)[show];
      const select = sql`
        SELECT ${subscriberSelection.list}
        FROM periods s
        LEFT JOIN users u ON u.id = s.subscriber_id AND ${namesSubscriber}
        WHERE s.caller_id = ${callerId} AND s.payment_id IS NOT NULL
          AND s.known_end > ${after - DAY_MS} AND s.known_end <= ${until}
          AND s.ends_at > ${after} AND s.ends_at <= ${until}
          AND NOT EXISTS (SELECT 1 ${ofPair} AND b.ends_at > s.written_end)`;
      const order = show === 'ended' ? 'desc' : 'asc';
      return selectRows(
        db,
        subscriberSelection,
        keysetPage({ select, value: 's.known_end', id: 's.id', order, ...page }),
      );
    },
  };
}
