const SHARDS = 16;

/** A price as KV keeps it: plain decimal in USD, fetched at unix ms. */
export interface StoredPrice {
  readonly price: string;
  readonly at: number;
  readonly source: string;
}

export type Shard = Record<string, StoredPrice>;

/** The KV key of the shard that holds a mint: prices are packed, because a key a mint a minute is dear. */
export function shardKey(mint: string): string {
  let hash = 0;
  for (let index = 0; index < mint.length; index++) hash = (hash * 31 + mint.charCodeAt(index)) >>> 0;
  return `prices:${hash % SHARDS}`;
}

/** Groups mints by their shard's key. */
export function groupByShard(mints: readonly string[]): ReadonlyMap<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const mint of mints) {
    const key = shardKey(mint);
    groups.set(key, [...(groups.get(key) ?? []), mint]);
  }
  return groups;
}
