import { MINUTE_MS } from '#schema/constants/time.ts';
import { shardOf } from '#schema/rules/prices/price-shards.ts';

/** A price is confirmed if it is seen again within this time. */
export const MAX_CONFIRMATION_GAP_MS = 5 * MINUTE_MS;

export interface FetchedPrice {
  readonly price: string;
  readonly source: string;
}

export type FetchedPrices = ReadonlyMap<string, FetchedPrice>;

export interface StoredPrice extends FetchedPrice {
  readonly at: number;
}

/** A mint's price. `isMissed`: the last refresh found no price, so price and `at` are from an earlier refresh. */
export interface ShardEntry extends StoredPrice {
  readonly isMissed?: true;
}

export interface Shard {
  readonly at: number;
  readonly prices: Readonly<Record<string, ShardEntry>>;
}

export const EMPTY_SHARD: Shard = { at: 0, prices: {} };

export interface ShardTimes {
  readonly refreshedAt: number;
  readonly writtenAt: number;
}

export interface ReadShard {
  readonly before: Shard;
  readonly times: ShardTimes | undefined;
}

export function groupByShard(mints: readonly string[]): ReadonlyMap<number, readonly string[]> {
  return Map.groupBy(mints, shardOf);
}

/** False if KV returned an older version than the last written one. */
export function isCurrent(shard: Shard, times: ShardTimes | undefined): boolean {
  return shard.at === (times?.writtenAt ?? 0);
}

/**
 * Returns when the price of an entry was last seen, in unix ms. That may be later than the time in KV,
 * because KV is only written if a price changes.
 */
export function lastSeenAt(entry: ShardEntry, { before: shard, times }: ReadShard): number {
  if (entry.isMissed) return entry.at;
  return Math.max(entry.at, shard.at, isCurrent(shard, times) ? (times?.refreshedAt ?? 0) : 0);
}

interface ShardRefresh extends ReadShard {
  readonly fetched: FetchedPrices;
  readonly at: number;
}

/**
 * For each mint, compares the prices of two successive refreshes that are at most MAX_CONFIRMATION_GAP_MS
 * apart. Returns the lower price. A price that only one refresh saw may be an error of the source.
 */
export function confirmedPrices({
  fetched,
  at,
  ...read
}: ShardRefresh): (readonly [mint: string, price: string])[] {
  return [...fetched].flatMap(([mint, { price }]) => {
    const entry = read.before.prices[mint];
    if (!entry || entry.isMissed || at - lastSeenAt(entry, read) > MAX_CONFIRMATION_GAP_MS) return [];
    return [[mint, Number(entry.price) < Number(price) ? entry.price : price] as const];
  });
}

/**
 * The shard after a refresh. It holds only `members`. A mint without a fetched price keeps its old price and time.
 * @returns null if nothing changed
 */
export function mergeShard({
  members,
  fetched,
  at,
  ...read
}: ShardRefresh & { readonly members: readonly string[] }): Shard | null {
  const { before, times } = read;
  const merged = members.flatMap((mint) => {
    const entry = mergeEntry(before.prices[mint], fetched.get(mint));
    return entry === undefined ? [] : [[mint, entry] as const];
  });
  const isUnchanged =
    merged.length === Object.keys(before.prices).length &&
    merged.every(([mint, entry]) => entry === before.prices[mint]);
  return isUnchanged && isCurrent(before, times) ? null : { at, prices: Object.fromEntries(merged) };

  function mergeEntry(old: ShardEntry | undefined, fresh: FetchedPrice | undefined): ShardEntry | undefined {
    const stored = fresh && { price: fresh.price, source: fresh.source, at };
    if (old === undefined) return stored;
    if (fresh === undefined) {
      return old.isMissed ? old : { ...old, at: lastSeenAt(old, read), isMissed: true };
    }
    const isSame = !old.isMissed && old.price === fresh.price && old.source === fresh.source;
    return isSame ? old : stored;
  }
}
