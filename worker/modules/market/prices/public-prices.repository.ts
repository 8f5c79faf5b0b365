import { sql } from 'drizzle-orm';
import { PUBLIC_PRICE_KEPT_MS } from '#schema/constants/prices.ts';
import type { ShownPrice, ShownPrices } from '#schema/contracts/prices.ts';
import type { JsonText } from '#schema/rules/typed-json.ts';
import type { Database } from '../../../shared/database.ts';

/** A mint with an ended call. Everybody may see ended calls, so these mints are public. */
export interface PublicMint {
  readonly mint: string;
  readonly price: JsonText<ShownPrice> | null;
  readonly askedAt: number;
  readonly queueRank: number | null;
}

export function createPublicPricesRepository(db: Database) {
  return {
    /**
     * Leaves out mints that aren't public. The mint whose last request is the longest ago comes first. Reads one row
     * per mint.
     */
    read: (mints: readonly string[]): Promise<PublicMint[]> =>
      db.all(sql`
        SELECT mint, shown_price AS price, asked_at AS askedAt, queue_rank AS queueRank
        FROM json_each(${JSON.stringify(mints)})
        CROSS JOIN called_tokens ON mint = value
        ORDER BY asked_at`),

    /**
     * Adds mints to the queue, and takes the ones with the lowest ranks from it.
     * @param added ranks by mint
     */
    async takeBatch({ added, size, now }: { added: object; size: number; now: number }): Promise<string[]> {
      const rows = await db.all<{ mint: string; isTaken: number }>(sql`
        UPDATE called_tokens
        SET asked_at = iif(place <= ${size}, ${now}, asked_at), queue_rank = iif(place <= ${size}, NULL, rank)
        FROM (
          SELECT mint AS queued, MIN(queue_rank) AS rank, ROW_NUMBER() OVER (ORDER BY MIN(queue_rank), asked_at) AS place
          FROM (
            SELECT * FROM (
              SELECT mint, queue_rank, asked_at
              FROM called_tokens
              WHERE queue_rank IS NOT NULL
              ORDER BY queue_rank, asked_at
              LIMIT ${size})
            UNION ALL
            SELECT key, value, 0 FROM json_each(${JSON.stringify(added)}))
          GROUP BY mint)
        WHERE mint = queued AND asked_at <= ${now - PUBLIC_PRICE_KEPT_MS}
          AND (place <= ${size} OR queue_rank IS NULL OR queue_rank > rank)
        RETURNING mint, queue_rank IS NULL AS isTaken`);
      return rows.flatMap(({ mint, isTaken }) => (isTaken ? [mint] : []));
    },

    async save(prices: ShownPrices): Promise<void> {
      await db.run(sql`
        UPDATE called_tokens
        SET shown_price = value
        FROM json_each(${JSON.stringify(prices)})
        WHERE mint = key AND (shown_price IS NULL OR shown_price ->> 'at' <= value ->> 'at')`);
    },
  };
}
