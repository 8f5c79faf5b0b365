import { sql } from 'drizzle-orm';
import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { shardOf } from '#schema/rules/prices/price-shards.ts';
import type { JsonText } from '#schema/rules/typed-json.ts';

export interface SeenPrice {
  readonly price: string;
  readonly at: number;
}

/** SOL's newest closing price, and the time when it was last seen. */
export const solPrice = sql<JsonText<SeenPrice> | null>`(
  SELECT json_object('price', c.price, 'at', s.refreshed_at)
  FROM price_shards s CROSS JOIN price_closes c
  WHERE s.shard = ${shardOf(WRAPPED_SOL_MINT)} AND c.mint = ${WRAPPED_SOL_MINT}
  ORDER BY c.at DESC
  LIMIT 1)`;
