import { sqliteTable, text, integer, index, primaryKey } from 'drizzle-orm/sqlite-core';
import { moment, price } from './columns.ts';

/** What a mint of an active call cost at the end of an interval, for charts; older ones are thinned. */
export const priceCloses = sqliteTable(
  'price_closes',
  {
    mint: text('mint').notNull(),
    at: moment('at').notNull(),
    price: price('price').notNull(),
  },
  (table) => [primaryKey({ columns: [table.mint, table.at] }), index('price_closes_by_time').on(table.at)],
);

/**
 * When the prices in a shard of KV were last compared with a source: what has not changed is not written again. KV may
 * answer with an older shard for a minute: `refreshedAt` is only of the one that was written at `writtenAt`.
 */
export const priceShards = sqliteTable('price_shards', {
  shard: integer('shard').primaryKey(),
  refreshedAt: moment('refreshed_at').notNull(),
  writtenAt: moment('written_at').notNull().default(0),
});
