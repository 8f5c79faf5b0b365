import { and, gte, lt, sql } from 'drizzle-orm';
import {
  CLOSE_INTERVAL_MS,
  CLOSES_DAILY_AFTER_MS,
  CLOSES_HOURLY_AFTER_MS,
} from '#schema/constants/prices.ts';
import { DAY_MS, HOUR_MS } from '#schema/constants/time.ts';
import { priceCloses } from '#schema/tables/prices.ts';
import type { Database } from '../../../shared/database.ts';
import type { Statement } from '../../../shared/job-leases.ts';

export interface Close {
  readonly at: number;
  readonly price: string;
}

export interface ClosesQuery {
  readonly mint: string;
  /** Sorted, without overlaps. `from` and `until` are both inclusive. */
  readonly ranges: readonly { readonly from: number; readonly until: number }[];
  readonly limit: number;
}

export interface SeenPrices {
  readonly prices: readonly (readonly [mint: string, price: string])[];
  readonly at: number;
}

export interface ThinRange {
  readonly from: number;
  /** The end of the range, which isn't part of it. */
  readonly until: number;
  readonly bucketMs: number;
}

export interface Thinning {
  readonly job: string;
  readonly afterMs: number;
  readonly bucketMs: number;
  /** The time between two closing prices before this thinning. Only whole intervals are thinned. */
  readonly intervalMs: number;
}

export const THINNINGS = {
  hourly: {
    job: 'closes.hourly',
    afterMs: CLOSES_HOURLY_AFTER_MS,
    bucketMs: HOUR_MS,
    intervalMs: CLOSE_INTERVAL_MS,
  },
  daily: {
    job: 'closes.daily',
    afterMs: CLOSES_DAILY_AFTER_MS,
    bucketMs: DAY_MS,
    intervalMs: HOUR_MS,
  },
} as const satisfies Record<string, Thinning>;

export type PriceClosesRepository = ReturnType<typeof createPriceClosesRepository>;

export function createPriceClosesRepository(db: Database) {
  return {
    /**
     * Splits the time from the first to the last range into `limit` equal intervals, and keeps the newest close of each that
     * is within a range. Returns them oldest first.
     */
    async listCloses({ mint, ranges, limit }: ClosesQuery): Promise<Close[]> {
      const [from, until] = [ranges[0]?.from ?? 0, ranges.at(-1)?.until ?? 0];
      return db.all<Close>(sql`
        SELECT MAX(c.at) AS at, c.price
        FROM json_each(${JSON.stringify(ranges)}) r
        CROSS JOIN price_closes c
        WHERE c.mint = ${mint} AND c.at >= r.value ->> 'from' AND c.at <= r.value ->> 'until'
        GROUP BY CAST((c.at - ${from}) * ${limit} / ${until - from + 1} AS INTEGER)
        ORDER BY MAX(c.at)`);
    },

    /**
     * Inserts prices that differ from the mint's last close. If an active call has no close yet, also inserts
     * an equal price, so that the call's chart has a close. Returns one row per close.
     */
    record({ prices, at }: SeenPrices): Statement {
      return sql`
        INSERT OR IGNORE INTO price_closes (mint, at, price)
        SELECT p.value ->> 0, ${at}, p.value ->> 1
        FROM json_each(${JSON.stringify(prices)}) p
        WHERE (
            SELECT c.price FROM price_closes c
            WHERE c.mint = p.value ->> 0
            ORDER BY c.at DESC
            LIMIT 1
          ) IS NOT p.value ->> 1
          OR EXISTS (
            SELECT 1 FROM calls k
            WHERE k.token_mint = p.value ->> 0 AND k.ended_at IS NULL AND k.called_at < ${at}
              AND k.called_at >= (SELECT MAX(c.at) FROM price_closes c WHERE c.mint = p.value ->> 0))
        RETURNING mint`;
    },

    async findOldest({ from, until }: Pick<ThinRange, 'from' | 'until'>): Promise<number | null> {
      const [row] = await db
        .select({ at: priceCloses.at })
        .from(priceCloses)
        .where(and(gte(priceCloses.at, from), lt(priceCloses.at, until)))
        .orderBy(priceCloses.at)
        .limit(1);
      return row?.at ?? null;
    },

    thin({ from, until, bucketMs }: ThinRange): Statement {
      // D1 binds numbers as REAL, but this must be an integer division.
      return sql`
        DELETE FROM price_closes
        WHERE at >= ${from} AND at < ${until}
          AND EXISTS (
            SELECT 1 FROM price_closes later
            WHERE later.mint = price_closes.mint AND later.at > price_closes.at
              AND later.at < (price_closes.at / CAST(${bucketMs} AS INTEGER) + 1) * ${bucketMs})
        RETURNING 1`;
    },
  };
}
