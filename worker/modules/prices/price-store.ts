import { groupByShard, type Shard, type StoredPrice } from './price-shards.ts';

export type PriceStore = ReturnType<typeof createPriceStore>;

/** The last known prices in KV: up to a minute old, for looking at only. */
export function createPriceStore(kv: KVNamespace) {
  const readShard = async (key: string): Promise<Shard> => (await kv.get<Shard>(key, 'json')) ?? {};

  return {
    /** Stored prices by mint; unknown mints are left out. */
    async read(mints: readonly string[]): Promise<ReadonlyMap<string, StoredPrice>> {
      const found = new Map<string, StoredPrice>();
      await Promise.all(
        [...groupByShard(mints)].map(async ([key, members]) => {
          const shard = await readShard(key);
          for (const mint of members) if (shard[mint]) found.set(mint, shard[mint]);
        }),
      );
      return found;
    },

    /** Replaces what the shards hold by `prices`; a shard whose prices are the same is not written. Returns the writes. */
    async replace(prices: ReadonlyMap<string, StoredPrice>, mints: readonly string[]): Promise<number> {
      const writes = await Promise.all(
        [...groupByShard(mints)].map(async ([key, members]) => {
          const before = await readShard(key);
          const after: Shard = {};
          for (const mint of members) {
            const price = prices.get(mint) ?? before[mint];
            if (price) after[mint] = price;
          }
          if (hasSamePrices(before, after)) return 0;
          await kv.put(key, JSON.stringify(after));
          return 1;
        }),
      );
      return writes.reduce<number>((sum, count) => sum + count, 0);
    },
  };
}

function hasSamePrices(before: Shard, after: Shard): boolean {
  const mints = Object.keys(after);
  return mints.length === Object.keys(before).length && mints.every((mint) => before[mint]?.price === after[mint]?.price);
}
