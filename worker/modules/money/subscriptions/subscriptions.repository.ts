import { and, count, eq, gt, inArray, isNotNull, isNull, lt, lte, not, or, sql, type SQL } from 'drizzle-orm';
import { LIST_MAX_PAGE_SIZE, MAX_FREE_FOLLOWS } from '#schema/constants.ts';
import { endsAtStage, LAST_RENEWAL_STAGE } from '#schema/rules/access/renewal.ts';
import type { Standing } from '#schema/rules/people/standing.ts';
import type { Period } from '#schema/rules/access/subscription.ts';
import { callers } from '#schema/tables/callers.ts';
import { notificationMutes } from '#schema/tables/notifications.ts';
import { payments } from '#schema/tables/payments.ts';
import { subscriptions } from '#schema/tables/subscriptions.ts';
import { standingOf } from '../../../shared/caller-standing.ts';
import { callerSummary } from '../../../shared/caller-summary.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { keysetPage, type KeysetCursor } from '../../../shared/keyset.ts';
import { hasPendingReminder } from '../../../shared/pending-reminder.ts';
import {
  columnsOf,
  computed,
  optional,
  selection,
  selectRows,
  valuesOf,
  type SelectedRow,
} from '../../../shared/rows.ts';
import { build, fewer, hasNoRow, hasRow } from '../../../shared/sql.ts';
import { isFree } from '../../../shared/subscribers.ts';

const termsSelection = columnsOf(callers, 'c', [
  'caller_id',
  'fee_lamports',
  'payout_address',
  'total_calls',
  'ended_calls',
  'is_verified',
  'is_suspended',
  'is_hidden',
  'deletes_at',
  'updated_at',
]);
const subscriptionSelection = selection(
  columnsOf(subscriptions, 's', ['id', 'subscriber_id', 'caller_id', 'starts_at', 'ends_at', 'created_at']),
  callerSummary,
  columnsOf(callers, 'c', ['fee_lamports', 'payout_address', 'is_suspended', 'is_hidden', 'deletes_at']),
  optional(columnsOf(payments, 'p', ['total_lamports', 'platform_lamports', 'signature', 'intent_id'])),
);

/** A period with its caller and payment; times unix ms. */
export type SubscriptionRow = SelectedRow<typeof subscriptionSelection>;

/** A caller's fee, payout wallet and numbers of calls, and a viewer's current and future periods. */
export interface Terms {
  readonly callerId: string;
  readonly feeLamports: bigint;
  readonly payoutAddress: string | null;
  readonly activeCalls: number;
  readonly endedCalls: number;
  readonly standing: Standing;
  /** The caller has asked to delete the account. */
  readonly isLeaving: boolean;
  /** Changes when a call is opened or ended, and when the caller's name, handle, image or badge changes. */
  readonly version: string;
  readonly periods: readonly Period[];
}

export interface FollowedTerms extends Terms {
  /** End times of the caller's newest calls (unix ms), newest first. It needn't have all calls. */
  readonly newestEnds: readonly number[];
  /** The columns of `callerSummary`, as the database has them. */
  readonly summary: Readonly<Record<string, unknown>>;
}

interface TermsQuery {
  readonly viewerId: string | null;
  readonly callerId: string;
  /** Unix ms. */
  readonly now: number;
}

interface PeriodsQuery extends Omit<TermsQuery, 'viewerId'> {
  readonly subscriberIds: readonly string[];
}

interface Pair {
  readonly subscriberId: string;
  readonly callerId: string;
}

const selectSubscriptions = sql`
  SELECT ${subscriptionSelection.list}
  FROM subscriptions s
  JOIN users u ON u.id = s.caller_id
  JOIN callers c ON c.caller_id = s.caller_id
  LEFT JOIN payments p ON p.id = s.payment_id`;

export type SubscriptionsRepository = ReturnType<typeof createSubscriptionsRepository>;

export function createSubscriptionsRepository(db: Database) {
  return {
    ...createTermsReads(db),
    ...createSubscriptionReads(db),
    ...createSubscriptionWrites(db),
  };
}

const readTerms = (row: SelectedRow<typeof termsSelection> & { readonly periods: string }): Terms => ({
  callerId: row.caller_id,
  feeLamports: row.fee_lamports,
  payoutAddress: row.payout_address,
  activeCalls: row.total_calls - row.ended_calls,
  endedCalls: row.ended_calls,
  standing: standingOf(row),
  isLeaving: row.deletes_at !== null,
  version: [
    row.total_calls,
    row.ended_calls,
    ...[row.is_verified, row.is_suspended, row.is_hidden].map(Number),
    row.updated_at,
  ].join('.'),
  periods: JSON.parse(row.periods) as Period[],
});

const readEnds = (recentCalls: string) =>
  (JSON.parse(recentCalls) as { endedAt?: number }[]).flatMap(({ endedAt }) => endedAt ?? []);

function createTermsReads(db: Database) {
  return {
    /** @returns `null` if `callerId` is not a caller */
    async findTerms({ viewerId, callerId, now }: TermsQuery): Promise<Terms | null> {
      const columns = selection(
        termsSelection,
        computed<{ periods: string }>({
          periods: sql`(
            SELECT json_group_array(json_object('startsAt', starts_at, 'endsAt', ends_at))
            FROM subscriptions
            WHERE subscriber_id = ${viewerId} AND caller_id = c.caller_id AND (ends_at IS NULL OR ends_at > ${now}))`,
        }),
      );
      const query = sql`SELECT ${columns.list} FROM callers c WHERE c.caller_id = ${callerId}`;
      const [row] = await selectRows(db, columns, query);
      return row ? readTerms(row) : null;
    },

    /** The terms of all callers that the user follows or has followed. */
    async listFollowed(subscriberId: string, now: number): Promise<FollowedTerms[]> {
      const periods = sql<string>`
        json_group_array(json_object('startsAt', s.starts_at, 'endsAt', s.ends_at))
          FILTER (WHERE s.ends_at IS NULL OR s.ends_at > ${now})`;
      const copies = columnsOf(callers, 'c', ['recent_calls', 'summary']);
      const columns = selection(termsSelection, copies, computed<{ periods: string }>({ periods }));
      const query = sql`
        SELECT ${columns.list}
        FROM subscriptions s
        JOIN callers c ON c.caller_id = s.caller_id
        WHERE s.subscriber_id = ${subscriberId}
        GROUP BY s.caller_id`;
      const rows = await selectRows(db, columns, query);
      return rows.map((row) => ({
        ...readTerms(row),
        newestEnds: readEnds(row.recent_calls),
        summary: JSON.parse(row.summary) as Record<string, unknown>,
      }));
    },

    /** The current and future periods with a caller, by subscriber. */
    async listPeriods({ subscriberIds, callerId, now }: PeriodsQuery) {
      const periods = await db
        .select({
          subscriberId: subscriptions.subscriberId,
          startsAt: subscriptions.startsAt,
          endsAt: subscriptions.endsAt,
        })
        .from(subscriptions)
        .where(
          and(
            eq(subscriptions.callerId, callerId),
            isRunning(now),
            inArray(subscriptions.subscriberId, valuesOf(subscriberIds)),
          ),
        );
      return Map.groupBy(periods, ({ subscriberId }) => subscriberId);
    },
  };
}

const countFree = (subscriberId: string) =>
  build
    .select({ count: count() })
    .from(subscriptions)
    .where(and(eq(subscriptions.subscriberId, subscriberId), isActive, isFree));

function createSubscriptionReads(db: Database) {
  const select = (query: SQL) => selectRows(db, subscriptionSelection, query);
  const selectOne = async (condition: SQL): Promise<SubscriptionRow | null> => {
    const [row = null] = await select(sql`${selectSubscriptions} WHERE ${condition} LIMIT 1`);
    return row;
  };

  return {
    findOpenGrant: ({ subscriberId, callerId }: Pair) =>
      selectOne(sql`s.subscriber_id = ${subscriberId} AND s.caller_id = ${callerId} AND s.ends_at IS NULL`),

    /** Number of the subscriber's free periods that haven't ended. */
    async countFree(subscriberId: string): Promise<number> {
      const [row] = await db.all<{ 'count(*)': number }>(countFree(subscriberId));
      return row?.['count(*)'] ?? 0;
    },

    findByPayment: (paymentId: string) => selectOne(sql`s.payment_id = ${paymentId}`),

    /** The last period with each caller that the user has ever followed, newest first. */
    listLatestOf: (subscriberId: string): Promise<SubscriptionRow[]> =>
      select(sql`
        SELECT * FROM (${selectSubscriptions} WHERE s.subscriber_id = ${subscriberId}) latest
        WHERE NOT EXISTS (
          SELECT 1 FROM subscriptions later
          WHERE later.subscriber_id = latest.subscriber_id
            AND later.caller_id = latest.caller_id
            AND (later.starts_at, later.id) > (latest.starts_at, latest.id))
        ORDER BY starts_at DESC, id DESC
        LIMIT ${LIST_MAX_PAGE_SIZE}`),

    /**
     * One page of a caller's periods, newest first. If `subscriberId` is `null`, the periods of all
     * subscribers.
     */
    listOfCaller({
      callerId,
      subscriberId,
      ...page
    }: {
      callerId: string;
      subscriberId: string | null;
      cursor: KeysetCursor | null;
      limit: number;
    }): Promise<SubscriptionRow[]> {
      const ofCaller = sql`${selectSubscriptions} WHERE s.caller_id = ${callerId}`;
      if (subscriberId === null) {
        const newest = { value: 's.created_at', id: 's.id', order: 'desc' } as const;
        return select(keysetPage({ select: ofCaller, ...newest, ...page }));
      }
      // Sorting is cheap here, because a subscriber has only a few periods with the caller. Without the +,
      // SQLite would avoid the sort by reading all of the caller's periods in order.
      const ofPair = sql`${ofCaller} AND s.subscriber_id = ${subscriberId}`;
      const sorted = { value: '+s.created_at', id: '+s.id', order: 'desc' } as const;
      return select(keysetPage({ select: ofPair, ...sorted, ...page }));
    },
  };
}

interface FreePeriod extends Pair {
  readonly id: string;
  readonly now: number;
}

const isActive = eq(subscriptions.status, 'active');

const isOfPair = ({ subscriberId, callerId }: Pair) =>
  and(eq(subscriptions.subscriberId, subscriberId), eq(subscriptions.callerId, callerId));

const isRunning = (now: number) => or(isNull(subscriptions.endsAt), gt(subscriptions.endsAt, now));

function createSubscriptionWrites(db: Database) {
  return {
    /**
     * Inserts an open-ended free period that starts after any paid one. Does nothing if the subscriber
     * already has an open-ended period or MAX_FREE_FOLLOWS free ones, or if the caller has become Paid.
     */
    async insertFree({ id, subscriberId, callerId, now }: FreePeriod): Promise<void> {
      const isPair = isOfPair({ subscriberId, callerId });
      const isAllowed = and(
        eq(callers.callerId, callerId),
        eq(callers.feeLamports, 0n),
        eq(callers.isSuspended, false),
        eq(callers.isHidden, false),
        isNull(callers.deletesAt),
        lt(sql`${countFree(subscriberId)}`, MAX_FREE_FOLLOWS),
      );
      await runBatch(db, [
        db
          .update(callers)
          .set({ subscriberCount: sql`${callers.subscriberCount} + 1` })
          .where(and(isAllowed, hasNoRow(subscriptions, isPair, isActive))),
        sql`
          INSERT INTO subscriptions (id, subscriber_id, caller_id, starts_at, ends_at, status, created_at)
          SELECT ${id}, ${subscriberId}, ${callerId},
            MAX(${now}, COALESCE((SELECT MAX(ends_at) FROM subscriptions WHERE ${isPair}), 0)),
            NULL, 'active', ${now}
          FROM callers
          WHERE ${isAllowed}
          ON CONFLICT DO NOTHING`,
      ]);
    },

    /**
     * Deletes the subscriber's running free period and their mute of this caller. Does nothing if they have paid
     * time left with the caller.
     * @returns whether there was one
     */
    async deleteFree({ now, ...pair }: Pair & { readonly now: number }): Promise<boolean> {
      const isPair = isOfPair(pair);
      const isUnpaid = hasNoRow(subscriptions, isPair, isNotNull(subscriptions.paymentId), isRunning(now));
      const isFollow = and(isPair, isFree, isActive, isRunning(now), isUnpaid);
      const hasFollow = hasRow(subscriptions, isFollow);
      const { userId, callerId } = notificationMutes;
      const isMute = and(eq(userId, pair.subscriberId), eq(callerId, pair.callerId));
      const hasLapsed = hasRow(subscriptions, isPair, isActive, lte(subscriptions.endsAt, now));
      const [, , deleted = []] = await runBatch(db, [
        db
          .update(callers)
          .set({ subscriberCount: fewer(callers.subscriberCount) })
          .where(and(eq(callers.callerId, pair.callerId), hasFollow, not(hasLapsed))),
        db.delete(notificationMutes).where(and(isMute, hasFollow)),
        db.delete(subscriptions).where(isFollow).returning({ id: subscriptions.id }),
      ]);
      return deleted.length > 0;
    },

    /**
     * Marks lapsed periods as expired, those with the oldest end first. Subtracts them from their callers'
     * subscriber counts. Skips periods whose last reminder is pending, because reminders need active rows.
     * @returns the number of expired periods
     */
    async expireLapsed({ now, limit }: { now: number; limit: number }): Promise<number> {
      const lapsed = sql`
        SELECT s.id, s.subscriber_id, s.caller_id
        FROM subscriptions s
        WHERE s.status = 'active' AND s.ends_at <= ${now}
          AND NOT (
            s.ends_at > ${endsAtStage(LAST_RENEWAL_STAGE, now).after}
            AND ${hasPendingReminder(LAST_RENEWAL_STAGE)})
        ORDER BY s.ends_at, s.id
        LIMIT ${limit}`;
      const [, expired = []] = await runBatch(db, [
        sql`
          WITH lapsed AS MATERIALIZED (${lapsed})
          UPDATE callers SET subscriber_count = MAX(0, subscriber_count - gone.subscribers)
          FROM (
            SELECT caller_id, COUNT(DISTINCT subscriber_id) AS subscribers
            FROM lapsed
            WHERE NOT EXISTS (
              SELECT 1 FROM subscriptions other
              WHERE other.subscriber_id = lapsed.subscriber_id
                AND other.caller_id = lapsed.caller_id
                AND other.status = 'active'
                AND other.id NOT IN (SELECT id FROM lapsed))
            GROUP BY caller_id) gone
          WHERE callers.caller_id = gone.caller_id`,
        sql`
          UPDATE subscriptions SET status = 'expired'
          WHERE id IN (SELECT id FROM (${lapsed}))
          RETURNING id`,
      ]);
      return expired.length;
    },
  };
}
