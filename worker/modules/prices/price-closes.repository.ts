import { sql } from 'drizzle-orm';
import type { Database } from '../../app/database.ts';

/** What a mint cost at a moment (unix ms): a plain decimal in USD. */
export interface Close {
  readonly at: number;
  readonly price: string;
}

export type PriceClosesRepository = ReturnType<typeof createPriceClosesRepository>;

/** What the cron kept of prices. */
export function createPriceClosesRepository(db: Database) {
  return {
    /**
     * Closes of a mint from one moment to another, both included, oldest first: the newest in each of `limit` equally long
     * stretches of that time.
     */
    async listCloses({ mint, from, until, limit }: { mint: string; from: number; until: number; limit: number }): Promise<Close[]> {
      return db.all<Close>(sql`
        SELECT MAX(c.at) AS at, c.price FROM price_closes c WHERE c.mint = ${mint} AND c.at >= ${from} AND c.at <= ${until}
        GROUP BY CAST((c.at - ${from}) * ${limit} / ${until - from + 1} AS INTEGER) ORDER BY MAX(c.at)`);
    },
  };
}
