import {
  and,
  count,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  notExists,
  sql,
  type SQL,
} from 'drizzle-orm';
import { LIST_MAX_PAGE_SIZE } from '#schema/constants/app.ts';
import { MAX_FREE_FOLLOWS, STEADY_SPANS, SUBSCRIPTION_PERIOD_MS } from '#schema/constants/money.ts';
import type { Standing } from '#schema/rules/people/standing.ts';
import { hasLapsed, type Period } from '#schema/rules/access/subscription.ts';
import { callers } from '#schema/tables/callers.ts';
import { notificationMutes } from '#schema/tables/notifications.ts';
import { paymentIntents, payments } from '#schema/tables/payments.ts';
import { feeChanges, periods, subscriptions } from '#schema/tables/subscriptions.ts';
import { readJson, type JsonText } from '#schema/rules/typed-json.ts';
import { standingOf } from '../callers/caller-standing.ts';
import { callerSummary, readSummary } from '../callers/caller-summary.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { changeLapsed, changeNextSlice, changeSubscriptions } from './fee-changes.repository.ts';
import { keysetPage, type KeysetCursor } from '../../../shared/keyset.ts';
import {
  columnsOf,
  computed,
  optional,
  selection,
  selectRows,
  valuesOf,
  type SelectedRow,
} from '../../../shared/rows.ts';
import { anyOf, build, fewer, hasNoRow, hasRow } from '../../../shared/sql.ts';
import { addSilentDays, noteExtensions, recordSilences } from './silent-days.repository.ts';
import { isFree, isOfPair, type Pair } from './subscribers.repository.ts';

const termsSelection = columnsOf(callers, 'c', [
  'caller_id',
  'fee_lamports',
  'payout_address',
  'sells_week',
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
  computed<{ written_end: number | null }>({ written_end: 's.written_end' }),
  callerSummary,
  columnsOf(callers, 'c', ['fee_lamports', 'payout_address', 'is_suspended', 'is_hidden', 'deletes_at']),
  optional(
    columnsOf(payments, 'p', [
      'total_lamports',
      'platform_lamports',
      'payer_address',
      'signature',
      'intent_id',
    ]),
  ),
  optional(columnsOf(paymentIntents, 'i', ['feeLamports', 'days'])),
);

export type SubscriptionRow = SelectedRow<typeof subscriptionSelection>;

/** A caller's fee, payout wallet and numbers of calls, and a viewer's current and future periods. */
export interface Terms {
  readonly callerId: string;
  readonly feeLamports: bigint;
  readonly payoutAddress: string | null;
  readonly sellsWeek: boolean;
  readonly activeCalls: number;
  readonly endedCalls: number;
  readonly standing: Standing;
  readonly isLeaving: boolean;
  /** Changes when a call is opened or ended, and when the caller's name, handle, image or badge changes. */
  readonly version: string;
  readonly periods: readonly Period[];
}

export interface FollowedTerms extends Terms {
  readonly summary: Readonly<Record<string, unknown>>;
}

interface TermsQuery {
  readonly viewerId: string | null;
  readonly callerId: string;
  readonly now: number;
}

interface PeriodsQuery extends Omit<TermsQuery, 'viewerId'> {
  readonly subscriberIds: readonly string[];
}

const selectSubscriptions = sql`
  SELECT ${subscriptionSelection.list}
  FROM periods s
  JOIN users u ON u.id = s.caller_id
  JOIN callers c ON c.caller_id = s.caller_id
  LEFT JOIN payments p ON p.id = s.payment_id
  LEFT JOIN payment_intents i ON i.id = p.intent_id`;

export type SubscriptionsRepository = ReturnType<typeof createSubscriptionsRepository>;

export function createSubscriptionsRepository(db: Database) {
  return {
    ...createTermsReads(db),
    ...createSubscriptionReads(db),
    ...createSubscriptionWrites(db),
    ...createSubscriptionJobs(db),
  };
}

interface Running {
  readonly periods: JsonText<readonly Period[]>;
}

const readTerms = (row: SelectedRow<typeof termsSelection> & Running): Terms => ({
  callerId: row.caller_id,
  feeLamports: row.fee_lamports,
  payoutAddress: row.payout_address,
  sellsWeek: row.sells_week,
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
  periods: readJson(row.periods),
});

function createTermsReads(db: Database) {
  return {
    async findTerms({ viewerId, callerId, now }: TermsQuery): Promise<Terms | null> {
      const columns = selection(
        termsSelection,
        computed<Running>({
          periods: sql`(
            SELECT json_group_array(json_object('startsAt', starts_at, 'endsAt', ends_at))
            FROM periods
            WHERE subscriber_id = ${viewerId} AND caller_id = c.caller_id AND (ends_at IS NULL OR ends_at > ${now}))`,
        }),
      );
      const query = sql`SELECT ${columns.list} FROM callers c WHERE c.caller_id = ${callerId}`;
      const [row] = await selectRows(db, columns, query);
      return row ? readTerms(row) : null;
    },

    /**
     * True if the caller ended a ranked call in each of the last STEADY_SPANS months, and had no silent day in them.
     * Automatic ends don't count.
     */
    async isSteady(callerId: string, now: number): Promise<boolean> {
      const startOf = (span: number) => now - span * SUBSCRIPTION_PERIOD_MS;
      const spans = Array.from(
        { length: STEADY_SPANS },
        (_, span) => sql`AND EXISTS (
          SELECT 1 FROM calls
          WHERE caller_id = ${callerId} AND unranked_reason IS NULL AND automatic_end IS NULL
            AND ended_at > ${startOf(span + 1)} AND ended_at <= ${startOf(span)})`,
      );
      const [row] = await db.all<{ is_steady: number }>(sql`
        SELECT NOT EXISTS (
          SELECT 1 FROM silent_days WHERE caller_id = ${callerId} AND at > ${startOf(STEADY_SPANS)})
          ${sql.join(spans, sql` `)} AS is_steady`);
      return row?.is_steady === 1;
    },

    async listFollowed(subscriberId: string, now: number): Promise<FollowedTerms[]> {
      const running = sql<Running['periods']>`
        json_group_array(json_object('startsAt', s.starts_at, 'endsAt', s.ends_at))
          FILTER (WHERE s.ends_at IS NULL OR s.ends_at > ${now})`;
      const copies = columnsOf(callers, 'c', ['summary']);
      const columns = selection(termsSelection, copies, computed<Running>({ periods: running }));
      const query = sql`
        SELECT ${columns.list}
        FROM periods s
        JOIN callers c ON c.caller_id = s.caller_id
        WHERE s.subscriber_id = ${subscriberId}
        GROUP BY s.caller_id`;
      const rows = await selectRows(db, columns, query);
      return rows.map((row) => ({ ...readTerms(row), summary: readSummary(row.summary) }));
    },

    async listPeriods({ subscriberIds, callerId, now }: PeriodsQuery) {
      // Filtered here, because with a condition SQLite would compute the times of each period twice.
      const all = await db.all<Period & { subscriberId: string }>(sql`
        SELECT p.subscriber_id AS subscriberId, p.starts_at AS startsAt, p.ends_at AS endsAt
        FROM json_each(${JSON.stringify(subscriberIds)}) viewer
        CROSS JOIN periods p ON p.subscriber_id = viewer.value AND p.caller_id = ${callerId}`);
      const running = all.filter((period) => !hasLapsed(period, now));
      return Map.groupBy(running, ({ subscriberId }) => subscriberId);
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
          SELECT 1 FROM periods later
          WHERE later.subscriber_id = latest.subscriber_id
            AND later.caller_id = latest.caller_id
            AND (later.starts_at, later.id) > (latest.starts_at, latest.id))
        ORDER BY starts_at DESC, id DESC
        LIMIT ${LIST_MAX_PAGE_SIZE}`),

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

const isRunning = (now: number) => anyOf(isNull(periods.endsAt), gt(periods.endsAt, now));

function createSubscriptionWrites(db: Database) {
  return {
    /**
     * Inserts an open-ended free period that starts after any paid one. Does nothing if the subscriber
     * already has an open-ended period or MAX_FREE_FOLLOWS free ones, or if the caller has become Paid.
     */
    async insertFree({ id, subscriberId, callerId, now }: FreePeriod): Promise<void> {
      const isPair = isOfPair(subscriptions, { subscriberId, callerId });
      const isAllowed = and(
        eq(callers.callerId, callerId),
        eq(callers.feeLamports, 0n),
        eq(callers.isSuspended, false),
        eq(callers.isHidden, false),
        isNull(callers.deletesAt),
        lt(sql`${countFree(subscriberId)}`, MAX_FREE_FOLLOWS),
      );
      await runBatch(db, [
        ...changeSubscriptions(sql`c.caller_id = ${callerId} AND p.subscriber_id = ${subscriberId}`, now),
        db
          .update(callers)
          .set({ subscriberCount: sql`${callers.subscriberCount} + 1` })
          .where(and(isAllowed, hasNoRow(subscriptions, isPair, isActive))),
        sql`
          INSERT INTO subscriptions (id, subscriber_id, caller_id, starts_at, ends_at, status, created_at)
          SELECT ${id}, ${subscriberId}, ${callerId},
            MAX(${now}, COALESCE((
              SELECT MAX(ends_at) FROM periods WHERE ${isOfPair(periods, { subscriberId, callerId })}), 0)),
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
      const isPair = isOfPair(subscriptions, pair);
      const idOf = (...which: readonly SQL[]) =>
        build
          .select({ id: periods.id })
          .from(periods)
          .where(and(isOfPair(periods, pair), ...which));
      const isFollow = and(
        isPair,
        isFree,
        isActive,
        inArray(subscriptions.id, idOf(isRunning(now))),
        notExists(idOf(isRunning(now), isNotNull(periods.paymentId))),
      );
      const hasFollow = hasRow(subscriptions, isFollow);
      const { userId, callerId } = notificationMutes;
      const isMute = and(eq(userId, pair.subscriberId), eq(callerId, pair.callerId));
      const [, , , deleted = []] = await runBatch(db, [
        db
          .update(callers)
          .set({
            subscriberCount: fewer(callers.subscriberCount),
            // A counted period of the pair has ended, but the cron hasn't subtracted it yet.
            payingCount: sql`${callers.payingCount} - ${hasRow(subscriptions, isPair, isActive, eq(subscriptions.isCounted, true))}`,
          })
          .where(and(eq(callers.callerId, pair.callerId), hasFollow)),
        db.delete(notificationMutes).where(and(isMute, hasFollow)),
        db
          .update(subscriptions)
          .set({ status: 'expired' })
          .where(and(isPair, hasFollow, inArray(subscriptions.id, idOf(lte(periods.endsAt, now))))),
        db.delete(subscriptions).where(isFollow).returning({ id: subscriptions.id }),
      ]);
      return deleted.length > 0;
    },
  };
}

const isPairOf = (ids: SQL) =>
  sql`(p.subscriber_id, p.caller_id) IN (SELECT subscriber_id, caller_id FROM subscriptions WHERE id IN ${ids})`;

/** SQL condition: the pair of the row of `lapsed` has another active period with this property. */
const staysWith = (which: SQL) => sql`EXISTS (
  SELECT 1 FROM subscriptions
  WHERE (subscriber_id, caller_id) = (lapsed.subscriber_id, lapsed.caller_id)
    AND status = 'active' AND ${which} AND id NOT IN (SELECT id FROM lapsed))`;

function createSubscriptionJobs(db: Database) {
  return {
    async listPaidCallers({ after, limit }: { after: string; limit: number }): Promise<string[]> {
      const next = (id: SQL) => sql`(
        SELECT MIN(caller_id) FROM subscriptions
        WHERE payment_id IS NOT NULL AND status = 'active' AND caller_id > ${id})`;
      const rows = await db.all<{ id: string }>(sql`
        WITH RECURSIVE page (id) AS (
          SELECT ${next(sql`${after}`)}
          UNION ALL
          SELECT ${next(sql`page.id`)} FROM page WHERE page.id IS NOT NULL
          LIMIT ${limit})
        SELECT id FROM page WHERE id IS NOT NULL`);
      return rows.map(({ id }) => id);
    },

    async listFeeChanges(limit: number): Promise<string[]> {
      const rows = await db.select({ id: feeChanges.callerId }).from(feeChanges).limit(limit);
      return rows.map(({ id }) => id);
    },

    async changeNextSlice(callerId: string, now: number): Promise<void> {
      await runBatch(db, [...changeLapsed(callerId, now), ...changeNextSlice(callerId, now)]);
    },

    extendForSilence(callerIds: readonly string[], now: number): SQL[] {
      const ids = valuesOf(callerIds);
      return [addSilentDays(ids, now), ...recordSilences(ids, now)];
    },

    /**
     * Marks lapsed periods as expired, those with the oldest end first, and subtracts them from their callers'
     * subscriber counts. Periods that silent days have extended get their new place in the index instead.
     * @returns the number of periods that were read
     */
    async expireLapsed({ now, limit }: { now: number; limit: number }): Promise<number> {
      const found = await db.all<{ id: string; caller_id: string }>(sql`
        SELECT s.id, s.caller_id
        FROM subscriptions s
        WHERE s.status = 'active' AND s.known_end <= ${now}
        ORDER BY s.known_end, s.id
        LIMIT ${limit}`);
      if (found.length === 0) return 0;
      const ids = valuesOf(found.map(({ id }) => id));
      const lapsed = sql`
        SELECT id, subscriber_id, caller_id, is_counted FROM periods
        WHERE id IN ${ids} AND status = 'active' AND ends_at <= ${now}`;
      await runBatch(db, [
        addSilentDays(valuesOf([...new Set(found.map((row) => row.caller_id))]), now),
        ...changeSubscriptions(isPairOf(ids), now),
        noteExtensions(ids),
        sql`
          WITH lapsed AS MATERIALIZED (${lapsed})
          UPDATE callers SET
            subscriber_count = MAX(0, subscriber_count - gone.subscribers),
            paying_count = MAX(0, paying_count - gone.paying)
          FROM (
            SELECT caller_id,
              COUNT(DISTINCT iif(${staysWith(sql`TRUE`)}, NULL, subscriber_id)) AS subscribers,
              COUNT(DISTINCT iif(is_counted AND NOT ${staysWith(sql`is_counted`)}, subscriber_id, NULL)) AS paying
            FROM lapsed
            GROUP BY caller_id) gone
          WHERE callers.caller_id = gone.caller_id`,
        sql`UPDATE subscriptions SET status = 'expired' WHERE id IN (SELECT id FROM (${lapsed}))`,
      ]);
      return found.length;
    },
  };
}
