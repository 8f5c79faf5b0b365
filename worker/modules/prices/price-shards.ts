import { MINUTE_MS, PRICE_SHARDS } from '#schema/constants.ts';

/** A second observation within this time confirms the one before. */
export const MAX_CONFIRMATION_GAP_MS = 5 * MINUTE_MS;

/** A price as it is kept: plain decimal in USD, seen at unix ms. */
export interface StoredPrice {
  readonly price: string;
  readonly at: number;
  readonly source: string;
}

/** A price in a shard. One that its source did not name in a later round keeps the time of the last round that did. */
export interface ShardEntry extends StoredPrice {
  readonly isMissed?: true;
}

/** What a key of KV holds: prices by mint, and as of when (unix ms) it was written. */
export interface Shard {
  readonly at: number;
  readonly prices: Readonly<Record<string, ShardEntry>>;
}

export const EMPTY_SHARD: Shard = { at: 0, prices: {} };

/** What the database says of a shard, unix ms. */
export interface ShardTimes {
  readonly refreshedAt: number;
  readonly writtenAt: number;
}

/** The shard that holds a mint, from 0: prices are packed, because a key a mint a minute is dear. */
export function shardOf(mint: string): number {
  let hash = 0;
  for (let index = 0; index < mint.length; index++) hash = (hash * 31 + mint.charCodeAt(index)) >>> 0;
  return hash % PRICE_SHARDS;
}

/** Groups mints by their shard. */
export function groupByShard(mints: readonly string[]): ReadonlyMap<number, readonly string[]> {
  const groups = new Map<number, string[]>();
  for (const mint of mints) {
    const shard = shardOf(mint);
    const group = groups.get(shard);
    if (group) group.push(mint);
    else groups.set(shard, [mint]);
  }
  return groups;
}

/** Whether this is the shard that was written last, and not an older one that KV still answers with. */
export function isCurrent(shard: Shard, times: ShardTimes | undefined): boolean {
  return shard.at === (times?.writtenAt ?? 0);
}

/** As of when an entry is, unix ms: that of the last round which found it unchanged. */
export function entryAt({
  entry,
  shard,
  times,
}: {
  entry: ShardEntry;
  shard: Shard;
  times: ShardTimes | undefined;
}): number {
  if (entry.isMissed) return entry.at;
  return Math.max(entry.at, shard.at, isCurrent(shard, times) ? (times?.refreshedAt ?? 0) : 0);
}

interface Observation {
  readonly before: Shard;
  readonly times: ShardTimes | undefined;
  readonly fetched: ReadonlyMap<string, Omit<StoredPrice, 'at'>>;
  /** Unix ms. */
  readonly at: number;
}

/**
 * Prices seen in two refreshes in a row, at most MAX_CONFIRMATION_GAP_MS apart: the lower of the two. A single
 * observation may be a source's error.
 */
export function confirmedPrices({
  before,
  times,
  fetched,
  at,
}: Observation): (readonly [mint: string, price: string])[] {
  return [...fetched].flatMap(([mint, { price }]) => {
    const entry = before.prices[mint];
    if (!entry || entry.isMissed) return [];
    if (at - entryAt({ entry, shard: before, times }) > MAX_CONFIRMATION_GAP_MS) return [];
    return [[mint, Number(entry.price) < Number(price) ? entry.price : price] as const];
  });
}

/**
 * A shard after a round: of `members` alone, with what was `fetched` at `at` (unix ms). What was not named keeps
 * its price and its age.
 * @returns null when nothing changed.
 */
export function mergeShard({
  before,
  times,
  members,
  fetched,
  at,
}: {
  before: Shard;
  times: ShardTimes | undefined;
  members: readonly string[];
  fetched: ReadonlyMap<string, Omit<StoredPrice, 'at'>>;
  at: number;
}): Shard | null {
  const prices: Record<string, ShardEntry> = {};
  for (const mint of members) {
    const old = before.prices[mint];
    const fresh = fetched.get(mint);
    const isSame =
      old !== undefined && !old.isMissed && old.price === fresh?.price && old.source === fresh.source;
    if (fresh) prices[mint] = isSame ? old : { ...fresh, at };
    else if (old) {
      prices[mint] = old.isMissed
        ? old
        : { ...old, at: entryAt({ entry: old, shard: before, times }), isMissed: true };
    }
  }
  const mints = Object.keys(prices);
  const isUnchanged =
    mints.length === Object.keys(before.prices).length &&
    mints.every((mint) => prices[mint] === before.prices[mint]);
  return isUnchanged && isCurrent(before, times) ? null : { at, prices };
}
