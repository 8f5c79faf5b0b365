import { mapConcurrently } from '../../../shared/concurrency.ts';
import { EMPTY_SHARD, lastSeenAt, groupByShard, type Shard, type StoredPrice } from './price-shards.ts';
import type { PriceShardsRepository } from './price-shards.repository.ts';

export type PriceStore = ReturnType<typeof createPriceStore>;

/** The last known prices in KV. They may be a minute old and are for display only. */
export function createPriceStore({ kv, shards }: { kv: KVNamespace; shards: PriceShardsRepository }) {
  const keyOf = (shard: number) => `prices:${shard}`;

  const readShard = async (shard: number): Promise<Shard> => {
    const stored = await kv.get<Partial<Shard>>(keyOf(shard), 'json');
    return stored?.prices && stored.at !== undefined ? { at: stored.at, prices: stored.prices } : EMPTY_SHARD;
  };

  return {
    readShard,

    async writeShard(shard: number, content: Shard): Promise<void> {
      await kv.put(keyOf(shard), JSON.stringify(content));
    },

    async read(mints: readonly string[]): Promise<ReadonlyMap<string, StoredPrice>> {
      if (mints.length === 0) return new Map();
      const groups = [...groupByShard(mints)];
      const [times, contents] = await Promise.all([
        shards.listTimes(),
        mapConcurrently(groups, ([shard]) => readShard(shard)),
      ]);
      const found = groups.flatMap(([shard, members], index) => {
        const read = { before: contents[index] ?? EMPTY_SHARD, times: times.get(shard) };
        return members.flatMap((mint) => {
          const entry = read.before.prices[mint];
          if (entry === undefined) return [];
          return [[mint, { price: entry.price, at: lastSeenAt(entry, read), source: entry.source }] as const];
        });
      });
      return new Map(found);
    },
  };
}
