import { EMPTY_SHARD, entryAt, groupByShard, type Shard, type StoredPrice } from './price-shards.ts';
import type { PriceShardsRepository } from './price-shards.repository.ts';

export type PriceStore = ReturnType<typeof createPriceStore>;

/** The last known prices in KV: up to a minute old, for looking at only. */
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

    /** Stored prices by mint, each as of when it was last seen to be so; unknown mints are left out. */
    async read(mints: readonly string[]): Promise<ReadonlyMap<string, StoredPrice>> {
      const found = new Map<string, StoredPrice>();
      if (mints.length === 0) return found;
      const [times, contents] = await Promise.all([
        shards.listTimes(),
        Promise.all(
          [...groupByShard(mints)].map(async ([number, members]) => ({
            number,
            members,
            shard: await readShard(number),
          })),
        ),
      ]);
      for (const { number, members, shard } of contents) {
        for (const mint of members) {
          const entry = shard.prices[mint];
          if (entry) {
            found.set(mint, {
              price: entry.price,
              at: entryAt({ entry, shard, times: times.get(number) }),
              source: entry.source,
            });
          }
        }
      }
      return found;
    },
  };
}
