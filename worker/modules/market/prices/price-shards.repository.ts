import { priceShards } from '#schema/tables/prices.ts';
import type { Database } from '../../../shared/database.ts';
import type { Statement } from '../../../shared/job-leases.ts';
import type { ShardTimes } from './price-shards.ts';

export type PriceShardsRepository = ReturnType<typeof createPriceShardsRepository>;

/**
 * Stores the times of each shard's last refresh and last KV write. If KV held the refresh time, each refresh
 * would need a KV write, even without a changed price.
 */
export function createPriceShardsRepository(db: Database) {
  return {
    async listTimes(): Promise<ReadonlyMap<number, ShardTimes>> {
      const rows = await db.select().from(priceShards);
      return new Map(rows.map(({ shard, refreshedAt, writtenAt }) => [shard, { refreshedAt, writtenAt }]));
    },

    saveTimes({ shard, refreshedAt, writtenAt }: { shard: number } & ShardTimes): Statement {
      const times = { refreshedAt, writtenAt };
      return db
        .insert(priceShards)
        .values({ shard, ...times })
        .onConflictDoUpdate({ target: priceShards.shard, set: times });
    },
  };
}
