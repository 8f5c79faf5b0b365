import { JUPITER_MAX_MINTS } from '#schema/constants.ts';
import { groupByShard, type StoredPrice } from './price-shards.ts';

/** What was said about some mints, asked at unix ms. */
export interface BatchAnswer {
  readonly prices: ReadonlyMap<string, Omit<StoredPrice, 'at'>>;
  readonly at: number;
}

/** A shard of which every mint was asked about, or could not be. */
export interface FetchedShard {
  readonly shard: number;
  /** Where a run goes on after this shard; null when it was the last. */
  readonly next: string | null;
  readonly mints: readonly string[];
  readonly fetched: ReadonlyMap<string, Omit<StoredPrice, 'at'>>;
  /** As of when all of this is: the earliest answer in it, unix ms. Null when nobody answered for any of its mints. */
  readonly at: number | null;
}

interface OpenShard {
  readonly shard: number;
  readonly next: string | null;
  readonly mints: readonly string[];
  readonly fetched: Map<string, Omit<StoredPrice, 'at'>>;
  at: number | null;
  waitingFor: number;
}

/**
 * The rest of a round over all mints, by shard and mint, from the shard that `cursor` names. Its batches are full
 * and run across the borders of shards, so that there are as few as can be.
 */
export function createRefreshBatches({ mints, cursor }: { mints: readonly string[]; cursor: string | null }) {
  const from = Number(cursor ?? 0);
  const groups = [...groupByShard(mints)].filter(([shard]) => shard >= from).sort(([a], [b]) => a - b);
  const shards: OpenShard[] = groups.map(([shard, members], index) => ({
    shard,
    next: index === groups.length - 1 ? null : String(shard + 1),
    mints: members.toSorted(),
    fetched: new Map(),
    at: null,
    waitingFor: members.length,
  }));
  const places = shards.flatMap((shard) => shard.mints.map((mint) => ({ mint, shard })));
  const batches = Array.from({ length: Math.ceil(places.length / JUPITER_MAX_MINTS) }, (_, index) =>
    places.slice(index * JUPITER_MAX_MINTS, (index + 1) * JUPITER_MAX_MINTS),
  );

  return {
    mintCount: places.length,
    batches: batches.map((batch): readonly string[] => batch.map(({ mint }) => mint)),

    /** Takes what became of a batch: an answer, or null when nobody gives one. */
    settle({ index, answer }: { index: number; answer: BatchAnswer | null }): void {
      for (const { mint, shard } of batches[index] ?? []) {
        shard.waitingFor--;
        if (answer === null) continue;
        shard.at = Math.min(shard.at ?? answer.at, answer.at);
        const price = answer.prices.get(mint);
        if (price !== undefined) shard.fetched.set(mint, price);
      }
    },

    /** Those shards, in their order, that nothing is missing of any more; each is handed over once. */
    takeFetched(): FetchedShard[] {
      const firstOpen = shards.findIndex(({ waitingFor }) => waitingFor > 0);
      return shards.splice(0, firstOpen === -1 ? shards.length : firstOpen);
    },
  };
}
