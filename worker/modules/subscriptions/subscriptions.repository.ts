import { sql, type SQL } from 'drizzle-orm';
import { LIST_MAX_PAGE_SIZE } from '#schema/constants.ts';
import { endsAtStage } from '#schema/rules/renewal.ts';
import type { Period } from '#schema/rules/subscription.ts';
import { callerSummaryColumns, type CallerSummaryRow } from '../../shared/caller-summary.ts';
import { runBatch, type Database } from '../../shared/database.ts';
import { keysetPage, type KeysetCursor } from '../../shared/keyset.ts';
import { hasPendingReminder } from '../../shared/pending-reminder.ts';

/** A period joined with its caller and payment; money in lamports, times unix ms. */
export interface SubscriptionRow extends CallerSummaryRow {
  readonly id: string;
  readonly subscriber_id: string;
  readonly caller_id: string;
  readonly starts_at: number;
  readonly created_at: number;
  readonly ends_at: number | null;
  readonly fee_lamports: number;
  readonly payout_address: string | null;
  readonly total_lamports: number | null;
  readonly platform_lamports: number | null;
  readonly signature: string | null;
}

/** A caller's fee and the viewer's periods with them. */
export interface Terms {
  readonly feeLamports: bigint;
  readonly payoutAddress: string | null;
  readonly periods: readonly Period[];
}

const selectSubscriptions = sql`
  SELECT s.id, s.subscriber_id, s.caller_id, s.starts_at, s.ends_at, s.created_at, ${callerSummaryColumns}, c.fee_lamports, c.payout_address, p.total_lamports, p.platform_lamports, p.signature
  FROM subscriptions s
  JOIN users u ON u.id = s.caller_id
  JOIN callers c ON c.caller_id = s.caller_id
  LEFT JOIN payments p ON p.id = s.payment_id`;

export type SubscriptionsRepository = ReturnType<typeof createSubscriptionsRepository>;

export function createSubscriptionsRepository(db: Database) {
  const selectOne = async (condition: SQL): Promise<SubscriptionRow | null> => {
    const [row] = await db.all<SubscriptionRow>(sql`${selectSubscriptions} WHERE ${condition} LIMIT 1`);
    return row ?? null;
  };

  return {
    /** What entitlement depends on, or `null` for somebody who is no caller. */
    async findTerms({
      viewerId,
      callerId,
      now,
    }: {
      viewerId: string | null;
      callerId: string;
      now: number;
    }): Promise<Terms | null> {
      const [row] = await db.all<{
        fee_lamports: number;
        payout_address: string | null;
        periods: string;
      }>(sql`
        SELECT c.fee_lamports, c.payout_address,
          (SELECT json_group_array(json_object('startsAt', starts_at, 'endsAt', ends_at)) FROM subscriptions
           WHERE subscriber_id = ${viewerId} AND caller_id = c.caller_id AND (ends_at IS NULL OR ends_at > ${now})) AS periods
        FROM callers c WHERE c.caller_id = ${callerId}`);
      if (!row) return null;
      return {
        feeLamports: BigInt(row.fee_lamports),
        payoutAddress: row.payout_address,
        periods: JSON.parse(row.periods) as Period[],
      };
    },

    /** The periods that some subscribers have left with a caller, by subscriber. */
    async listPeriods({
      subscriberIds,
      callerId,
      now,
    }: {
      subscriberIds: readonly string[];
      callerId: string;
      now: number;
    }): Promise<ReadonlyMap<string, readonly Period[]>> {
      const rows = await db.all<{ subscriber_id: string; starts_at: number; ends_at: number | null }>(sql`
        SELECT subscriber_id, starts_at, ends_at FROM subscriptions
        WHERE caller_id = ${callerId} AND (ends_at IS NULL OR ends_at > ${now})
          AND subscriber_id IN (SELECT value FROM json_each(${JSON.stringify(subscriberIds)}))`);
      const periods = rows.map((row) => ({
        subscriberId: row.subscriber_id,
        startsAt: row.starts_at,
        endsAt: row.ends_at,
      }));
      return Map.groupBy(periods, ({ subscriberId }) => subscriberId);
    },

    /**
     * Opens a free grant, unless the pair has one or the caller charges by now. Paid time that is left
     * from before comes first.
     */
    async insertFree({
      id,
      subscriberId,
      callerId,
      now,
    }: {
      id: string;
      subscriberId: string;
      callerId: string;
      now: number;
    }): Promise<void> {
      const isNewFollower = sql`NOT EXISTS (SELECT 1 FROM subscriptions WHERE subscriber_id = ${subscriberId} AND caller_id = ${callerId} AND status = 'active')`;
      await runBatch(db, [
        sql`
          UPDATE callers SET subscriber_count = subscriber_count + 1
          WHERE caller_id = ${callerId} AND fee_lamports = 0 AND ${isNewFollower}`,
        sql`
          INSERT INTO subscriptions (id, subscriber_id, caller_id, starts_at, ends_at, status, created_at)
          SELECT ${id}, ${subscriberId}, ${callerId}, MAX(${now}, COALESCE((
              SELECT MAX(ends_at) FROM subscriptions WHERE subscriber_id = ${subscriberId} AND caller_id = ${callerId}), 0)),
            NULL, 'active', ${now}
          FROM callers WHERE caller_id = ${callerId} AND fee_lamports = 0
          ON CONFLICT DO NOTHING`,
      ]);
    },

    findOpenGrant: ({ subscriberId, callerId }: { subscriberId: string; callerId: string }) =>
      selectOne(sql`s.subscriber_id = ${subscriberId} AND s.caller_id = ${callerId} AND s.ends_at IS NULL`),

    findByPayment: (paymentId: string) => selectOne(sql`s.payment_id = ${paymentId}`),

    /** For each caller somebody ever followed, the period that ends last; newest subscription first. */
    async listLatestOf(subscriberId: string): Promise<SubscriptionRow[]> {
      return db.all<SubscriptionRow>(sql`
        SELECT * FROM (${selectSubscriptions} WHERE s.subscriber_id = ${subscriberId}) latest
        WHERE NOT EXISTS (
          SELECT 1 FROM subscriptions later
          WHERE later.subscriber_id = latest.subscriber_id AND later.caller_id = latest.caller_id
            AND (later.starts_at > latest.starts_at OR (later.starts_at = latest.starts_at AND later.id > latest.id)))
        ORDER BY starts_at DESC, id DESC LIMIT ${LIST_MAX_PAGE_SIZE}`);
    },

    /** Whom somebody follows or followed, each with their fee and the subscriber's running periods. */
    async listFollowed(
      subscriberId: string,
      now: number,
    ): Promise<{ callerId: string; feeLamports: bigint; periods: Period[] }[]> {
      const rows = await db.all<{ caller_id: string; fee_lamports: number; periods: string }>(sql`
        SELECT s.caller_id, c.fee_lamports,
          json_group_array(json_object('startsAt', s.starts_at, 'endsAt', s.ends_at)) FILTER (WHERE s.ends_at IS NULL OR s.ends_at > ${now}) AS periods
        FROM subscriptions s JOIN callers c ON c.caller_id = s.caller_id
        WHERE s.subscriber_id = ${subscriberId} GROUP BY s.caller_id`);
      return rows.map((row) => ({
        callerId: row.caller_id,
        feeLamports: BigInt(row.fee_lamports),
        periods: JSON.parse(row.periods) as Period[],
      }));
    },

    /** One page of the periods with one caller, newest first: everybody's, or one subscriber's. */
    async listOfCaller({
      callerId,
      subscriberId,
      cursor,
      limit,
    }: {
      callerId: string;
      subscriberId: string | null;
      cursor: KeysetCursor | null;
      limit: number;
    }): Promise<SubscriptionRow[]> {
      const own = subscriberId === null ? sql`` : sql`AND s.subscriber_id = ${subscriberId}`;
      const select = sql`${selectSubscriptions} WHERE s.caller_id = ${callerId} ${own}`;
      return db.all<SubscriptionRow>(
        keysetPage({ select, value: sql`s.created_at`, id: sql`s.id`, order: 'desc', cursor, limit }),
      );
    },

    /**
     * Flips what has lapsed and counts the subscribers of its callers again. Who is still to be told that theirs has ended
     * is told first: only active rows can be found by their end. Returns the flipped rows.
     */
    async expireLapsed(now: number): Promise<number> {
      const isLapsed = sql`s.status = 'active' AND s.ends_at <= ${now} AND NOT (s.ends_at > ${endsAtStage('ended', now).after} AND ${hasPendingReminder('ended')})`;
      const [, flipped = []] = await runBatch(db, [
        sql`
          UPDATE callers SET subscriber_count = (
            SELECT COUNT(DISTINCT subscriber_id) FROM subscriptions
            WHERE caller_id = callers.caller_id AND status = 'active' AND (ends_at IS NULL OR ends_at > ${now}))
          WHERE caller_id IN (SELECT s.caller_id FROM subscriptions s WHERE ${isLapsed})`,
        sql`UPDATE subscriptions AS s SET status = 'expired' WHERE ${isLapsed} RETURNING id`,
      ]);
      return flipped.length;
    },
  };
}
