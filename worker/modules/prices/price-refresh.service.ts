import { CLOSE_INTERVAL_MS, MINUTE_MS } from '#schema/constants.ts';
import type { ChainSlot } from '#schema/rules/quotes.ts';
import { LEASE_SIGN_MS, type JobLeases, type Lease, type Statement } from '../../shared/job-leases.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PriceSource } from '../../ports/price-source.ts';
import { createBatchFetcher } from './batch-fetcher.ts';
import type { PriceClosesRepository } from './price-closes.repository.ts';
import { createRefreshBatches, type FetchedShard } from './refresh-batches.ts';
import { confirmedPrices, mergeShard, type ShardTimes } from './price-shards.ts';
import type { PriceShardsRepository } from './price-shards.repository.ts';
import type { PriceStore } from './price-store.ts';

/** A worker may have six connections open at once; one is left for KV. */
export const MAX_CALLS_AT_ONCE = 5;
/** Cloudflare gives a cron 15 minutes; what is not done by then is the next run's. */
export const RUN_MS = 10 * MINUTE_MS;
/** After so many batches in a row that no source answers, the sources are down. */
export const MAX_FAILURES_IN_A_ROW = MAX_CALLS_AT_ONCE;
/** The least that is waited for a source, whose clock may be ahead of ours. */
const MIN_REST_MS = 10;

/** The active calls: whose mints they are, and their peaks. */
export interface ActiveCalls {
  listActiveMints(): Promise<string[]>;
  raisePeaks(seen: { prices: readonly (readonly [mint: string, price: string])[]; at: number }): Statement;
}

export interface PriceRefreshOptions {
  /** In order of preference. */
  readonly sources: readonly PriceSource[];
  readonly activeCalls: ActiveCalls;
  readonly store: PriceStore;
  readonly shards: PriceShardsRepository;
  readonly closes: PriceClosesRepository;
  readonly leases: JobLeases;
  /** The chain's slot; null where it is not known. */
  readonly readSlot: () => Promise<ChainSlot | null>;
  readonly clock: Clock;
}

/** What one run did. */
export interface RefreshReport {
  /** Of how many mints, in how many batches that were answered and how many that nobody answered. */
  mints: number;
  batches: number;
  failedBatches: number;
  priced: number;
  /** Keys of KV that were written, closes and peaks that were kept. */
  writes: number;
  closes: number;
  peaks: number;
  /** Whether the round is over; else the next run goes on. */
  isFinished: boolean;
}

/** Refreshes the stored prices of all mints in active calls, and with them closes and peaks. */
export function createPriceRefreshService({
  sources,
  activeCalls,
  store,
  shards,
  closes,
  leases,
  readSlot,
  clock,
}: PriceRefreshOptions) {
  /** Writes what a shard's mints cost: KV if anything changed, then all else and the cursor at once. */
  const writeShard = async ({
    fetchedShard,
    times,
    lease,
    report,
  }: {
    fetchedShard: FetchedShard;
    times: ShardTimes | undefined;
    lease: Lease;
    report: RefreshReport;
  }) => {
    const { shard, mints, fetched, at, next } = fetchedShard;
    if (at === null) {
      await lease.commit({ cursor: next });
      return;
    }
    const before = await store.readShard(shard);
    const after = mergeShard({ before, times, members: mints, fetched, at });
    if (after) {
      await lease.keep();
      await store.writeShard(shard, after);
      report.writes++;
    }
    const prices = [...fetched].map(([mint, { price }]) => [mint, price] as const);
    const isNewInterval =
      Math.floor((times?.refreshedAt ?? 0) / CLOSE_INTERVAL_MS) < Math.floor(at / CLOSE_INTERVAL_MS);
    const [, peaks = [], kept = []] = await lease.commit({
      cursor: next,
      statements: [
        shards.markCompared({ shard, refreshedAt: at, writtenAt: after?.at ?? times?.writtenAt ?? 0 }),
        activeCalls.raisePeaks({ prices: confirmedPrices({ before, times, fetched, at }), at }),
        ...(isNewInterval ? [closes.record({ prices, at })] : []),
      ],
    });
    report.priced += prices.length;
    report.peaks += peaks.length;
    report.closes += kept.length;
  };

  /** Waits until a source takes questions again, with signs of life; false where that is past the run's time. */
  const rest = async ({
    retryAt,
    deadline,
    lease,
  }: {
    retryAt: number;
    deadline: number;
    lease: Lease;
  }): Promise<boolean> => {
    const until = Math.max(retryAt, clock.now() + MIN_REST_MS);
    if (until > deadline) return false;
    for (let left = until - clock.now(); left > 0; left = until - clock.now()) {
      await clock.sleep(Math.min(left, LEASE_SIGN_MS));
      await lease.keep();
    }
    return true;
  };

  const work = async (lease: Lease): Promise<RefreshReport> => {
    const deadline = clock.now() + RUN_MS;
    const times = await shards.listTimes();
    const round = createRefreshBatches({ mints: await activeCalls.listActiveMints(), cursor: lease.cursor });
    // Of a round without mints nobody needs to know how old its prices are.
    const current = round.mintCount === 0 ? Promise.resolve(null) : readSlot();
    const fetcher = createBatchFetcher({ sources, current, clock });
    const report: RefreshReport = {
      mints: round.mintCount,
      batches: 0,
      failedBatches: 0,
      priced: 0,
      writes: 0,
      closes: 0,
      peaks: 0,
      isFinished: false,
    };
    const writeFetched = async (fetchedShards: readonly FetchedShard[]) => {
      for (const fetchedShard of fetchedShards) {
        await writeShard({ fetchedShard, times: times.get(fetchedShard.shard), lease, report });
      }
    };
    // The calls of their mints have ended since the run before stopped there.
    if (round.mintCount === 0 && lease.cursor !== null) await lease.commit({ cursor: null });

    let waiting = [...round.batches.keys()];
    let failuresInARow = 0;
    while (waiting.length > 0 && clock.now() <= deadline) {
      await lease.keep();
      const group = waiting.slice(0, MAX_CALLS_AT_ONCE);
      // What the answers before have completed is written meanwhile.
      const [results] = await Promise.all([
        Promise.all(
          group.map(async (index) => ({ index, result: await fetcher.ask(round.batches[index] ?? []) })),
        ),
        writeFetched(round.takeFetched()),
      ]);
      const resting: number[] = [];
      let retryAt = Number.POSITIVE_INFINITY;
      let lastError: unknown = null;
      for (const { index, result } of results) {
        if ('retryAt' in result) {
          resting.push(index);
          retryAt = Math.min(retryAt, result.retryAt);
          continue;
        }
        const answer = 'answer' in result ? result.answer : null;
        round.settle({ index, answer });
        if (answer) report.batches++;
        else report.failedBatches++;
        failuresInARow = answer ? 0 : failuresInARow + 1;
        if ('error' in result) lastError = result.error;
      }
      waiting = [...resting, ...waiting.slice(group.length)];
      const hasNoAnswers = waiting.length === 0 && report.batches === 0;
      if (failuresInARow >= MAX_FAILURES_IN_A_ROW || hasNoAnswers) {
        throw new Error(`No price source answers: ${String(lastError)}`, { cause: lastError });
      }
      if (resting.length === 0) continue;
      await writeFetched(round.takeFetched());
      if (!(await rest({ retryAt, deadline, lease }))) break;
    }
    await lease.keep();
    await writeFetched(round.takeFetched());
    report.isFinished = waiting.length === 0;
    return report;
  };

  return {
    /** Goes over all mints in turn, or on from where the run before stopped. Null where another run is at it. @throws where no source answers */
    refresh: (): Promise<RefreshReport | null> => leases.run({ job: 'prices.refresh', work }),
  };
}
