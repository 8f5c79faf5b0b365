import { sql } from 'drizzle-orm';
import type { Database } from '../../shared/database.ts';
import type { Statement } from '../../shared/job-leases.ts';

/** What a mint cost at a moment (unix ms): a plain decimal in USD. */
export interface Close {
  readonly at: number;
  readonly price: string;
}

export type PriceClosesRepository = ReturnType<typeof createPriceClosesRepository>;

/** What the cron keeps of prices, for charts. Times are unix ms. */
export function createPriceClosesRepository(db: Database) {
  return {
    /**
     * Closes of a mint from one moment to another, both included, oldest first: the newest in each of `limit` equally long
     * stretches of that time.
     */
    async listCloses({
      mint,
      from,
      until,
      limit,
    }: {
      mint: string;
      from: number;
      until: number;
      limit: number;
    }): Promise<Close[]> {
      return db.all<Close>(sql`
        SELECT MAX(c.at) AS at, c.price FROM price_closes c WHERE c.mint = ${mint} AND c.at >= ${from} AND c.at <= ${until}
        GROUP BY CAST((c.at - ${from}) * ${limit} / ${until - from + 1} AS INTEGER) ORDER BY MAX(c.at)`);
    },

    /**
     * Keeps prices ([mint, plain decimal]) that were seen at `at`, where they differ from the mint's last one, or that one is
     * from before an active call: its chart does not show it, and a price that came back to it would be missing. Gives a row for each.
     */
    record({
      prices,
      at,
    }: {
      prices: readonly (readonly [mint: string, price: string])[];
      at: number;
    }): Statement {
      return sql`
        INSERT OR IGNORE INTO price_closes (mint, at, price)
        SELECT p.value ->> 0, ${at}, p.value ->> 1 FROM json_each(${JSON.stringify(prices)}) p
        WHERE (SELECT c.price FROM price_closes c WHERE c.mint = p.value ->> 0 ORDER BY c.at DESC LIMIT 1) IS NOT p.value ->> 1
          OR EXISTS (
            SELECT 1 FROM calls k
            WHERE k.token_mint = p.value ->> 0 AND k.ended_at IS NULL AND k.called_at < ${at}
              AND k.called_at >= (SELECT MAX(c.at) FROM price_closes c WHERE c.mint = p.value ->> 0))
        RETURNING mint`;
    },

    /** The time of the oldest close within [from, until), or null. */
    async findOldest({ from, until }: { from: number; until: number }): Promise<number | null> {
      const [row] = await db.all<{ at: number }>(
        sql`SELECT at FROM price_closes WHERE at >= ${from} AND at < ${until} ORDER BY at LIMIT 1`,
      );
      return row?.at ?? null;
    },

    /** Deletes those within [from, until) that a later one of their mint follows in the same `bucketMs`. Gives a row for each. */
    thin({ from, until, bucketMs }: { from: number; until: number; bucketMs: number }): Statement {
      // A bound number is a REAL to D1, and so would be what is divided by it.
      const bucket = sql`CAST(${bucketMs} AS INTEGER)`;
      return sql`
        DELETE FROM price_closes WHERE at >= ${from} AND at < ${until}
          AND EXISTS (
            SELECT 1 FROM price_closes later
            WHERE later.mint = price_closes.mint AND later.at > price_closes.at AND later.at < (price_closes.at / ${bucket} + 1) * ${bucket})
        RETURNING 1`;
    },
  };
}
