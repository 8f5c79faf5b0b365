import { CLOSE_INTERVAL_MS } from '#schema/constants/prices.ts';
import type { Base } from '../../../app/base.ts';
import type { Lease } from '../../../shared/job-leases.ts';
import { noteReached, raisePeaks } from '../calls/call-levels.repository.ts';
import { createPriceClosesRepository } from './price-closes.repository.ts';
import { confirmedPrices, mergeShard, type ShardTimes } from './price-shards.ts';
import { createPriceShardsRepository } from './price-shards.repository.ts';
import type { PriceStore } from './price-store.ts';
import type { FetchedShard } from './refresh-batches.ts';
import { recordSightings } from './unpriced-mints.repository.ts';

export interface ShardWriterOptions extends Pick<Base, 'db'> {
  readonly store: PriceStore;
}

export interface ShardWrite {
  readonly completed: FetchedShard;
  readonly times: ShardTimes | undefined;
  readonly lease: Lease;
}

export interface WriteCounts {
  readonly priced: number;
  readonly writes: number;
  readonly closes: number;
  readonly peaks: number;
}

/** Other requests wait for D1 during a batch, and a mint may have many active calls. */
export const MINTS_PER_BATCH = 250;

/**
 * Writes a shard to KV if a price changed. Then several batches write its peaks and closing prices. The last one
 * writes the shard's times, and moves the job's cursor. If a run dies before that, the next run writes
 * everything again, which changes nothing.
 * @throws LeaseLostError
 */
export function createShardWriter({ db, store }: ShardWriterOptions) {
  const shards = createPriceShardsRepository(db);
  const closes = createPriceClosesRepository(db);
  return async ({ completed, times, lease }: ShardWrite): Promise<WriteCounts> => {
    const { shard, mints, fetched, sightings, at, next } = completed;
    if (at === null || mints.length === 0) {
      await lease.commit({ cursor: next });
      return { priced: 0, writes: 0, closes: 0, peaks: 0 };
    }
    const before = await store.readShard(shard);
    const after = mergeShard({ before, times, members: mints, fetched, at });
    if (after) {
      await lease.save();
      await store.writeShard(shard, after);
    }
    const prices = [...fetched].map(([mint, { price }]) => [mint, price] as const);
    const confirmed = new Map(confirmedPrices({ before, times, fetched, at }));
    const intervalOf = (time: number) => Math.floor(time / CLOSE_INTERVAL_MS);
    const isNewInterval = intervalOf(times?.refreshedAt ?? 0) < intervalOf(at);
    const counts = { closes: 0, peaks: 0 };
    for (let from = 0; from < prices.length; from += MINTS_PER_BATCH) {
      const part = prices.slice(from, from + MINTS_PER_BATCH);
      const peaks = part.flatMap(([mint]) => {
        const price = confirmed.get(mint);
        return price === undefined ? [] : [[mint, price] as const];
      });
      const [raised = [], , saved = []] = await lease.commit({
        cursor: String(shard),
        statements: [
          raisePeaks({ prices: peaks, at }),
          noteReached({ prices: part, at }),
          ...(isNewInterval ? [closes.record({ prices: part, at })] : []),
        ],
      });
      counts.peaks += raised.length;
      counts.closes += saved.length;
    }
    await lease.commit({
      cursor: next,
      statements: [
        shards.saveTimes({ shard, refreshedAt: at, writtenAt: after?.at ?? times?.writtenAt ?? 0 }),
        ...recordSightings({ sightings, at }),
      ],
    });
    return { priced: prices.length, writes: after ? 1 : 0, ...counts };
  };
}
