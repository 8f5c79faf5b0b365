import { PRICE_BATCH_SIZE } from '#schema/constants/prices.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { ChainSlot } from '#schema/rules/prices/quotes.ts';
import type { Base } from '../../../app/base.ts';
import { LEASE_RENEWAL_MS, type Lease } from '../../../shared/job-leases.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { PriceSource } from '../../../ports/price-source.ts';
import type { ActiveMintsRepository } from './active-mints.repository.ts';
import { createPriceShardsRepository } from './price-shards.repository.ts';
import { createRefreshBatches, fetchBatch, type BatchResult } from './refresh-batches.ts';
import { createShardWriter, type ShardWriterOptions, type WriteCounts } from './shard-writer.ts';

/** A Worker may open six connections at once. One of them is left for KV. */
export const MAX_CALLS_AT_ONCE = 5;
/** Cloudflare ends a cron run after 15 minutes. The next run continues from the cursor. */
export const RUN_MS = 10 * MINUTE_MS;
/**
 * Cloudflare allows 1,000 requests per run. A batch may need five: one to the first source, one to the database to
 * count it, two to the second source, and one to Solana for the units of its prices. The next run continues with the next
 * shard.
 */
export const MAX_BATCHES_PER_RUN = 160;
/** After this many failed batches in a row, all sources count as down. */
export const MAX_FAILURES_IN_A_ROW = MAX_CALLS_AT_ONCE;
/**
 * The shortest wait before a source is asked again. It is needed because a source's clock may differ from
 * ours, so that its retry time may already be over.
 */
const MIN_WAIT_MS = 10;

export interface PriceRefreshOptions extends ShardWriterOptions, Pick<Base, 'leases' | 'clock'> {
  readonly sources: readonly PriceSource[];
  readonly activeMints: ActiveMintsRepository;
  readonly readSlot: () => Promise<ChainSlot | null>;
}

export function createPriceRefreshService({
  sources,
  activeMints,
  leases,
  readSlot,
  clock,
  ...storage
}: PriceRefreshOptions) {
  const writeShard = createShardWriter(storage);

  const refresh = async (lease: Lease) => {
    const deadline = clock.now() + RUN_MS;
    const times = await createPriceShardsRepository(storage.db).listTimes();
    const plan = createRefreshBatches(
      await activeMints.list({
        fromShard: Number(lease.cursor ?? 0),
        limit: MAX_BATCHES_PER_RUN * PRICE_BATCH_SIZE,
      }),
    );
    // There is no mint with an active call after the cursor, so start from the beginning next time.
    if (plan.mintCount === 0 && lease.cursor !== null) await lease.commit({ cursor: null });
    const current = plan.mintCount === 0 ? Promise.resolve(null) : readSlot();

    const written: WriteCounts[] = [];
    const writeCompleted = async () => {
      for (const completed of plan.takeFetched()) {
        written.push(await writeShard({ completed, times: times.get(completed.shard), lease }));
      }
    };
    const fetch = async (index: number) => ({
      index,
      result: await fetchBatch({ sources, mints: plan.batches[index] ?? [], current, clock }),
    });

    const progress = createProgress(plan);
    let atOnce = MAX_CALLS_AT_ONCE;
    while (progress.waiting().length > 0 && clock.now() <= deadline) {
      await lease.save();
      const group = progress.waiting().slice(0, atOnce);
      const [results] = await Promise.all([Promise.all(group.map(fetch)), writeCompleted()]);
      const retryAt = progress.finish(results);
      // Each refusal costs a request to the shared budget. At a slow rate, most of five requests at once are refused.
      atOnce = retryAt === null ? Math.min(MAX_CALLS_AT_ONCE, atOnce + 1) : 1;
      if (retryAt === null) continue;
      await writeCompleted();
      if (!(await waitUntil({ retryAt, deadline, lease, clock }))) break;
    }
    await lease.save();
    await writeCompleted();
    const sum = (count: keyof WriteCounts) => written.reduce((total, each) => total + each[count], 0);
    return {
      mints: plan.mintCount,
      ...progress.counts(),
      priced: sum('priced'),
      writes: sum('writes'),
      closes: sum('closes'),
      peaks: sum('peaks'),
      isFinished: plan.isLastPart && progress.waiting().length === 0,
    };
  };

  return {
    /**
     * Refreshes all prices, starting where the last run stopped. Returns null if another run holds the lease.
     * @throws if no source responds
     */
    refresh: () => leases.run({ job: 'prices.refresh', work: refresh }),
  };
}

function createProgress({ batches, finish }: ReturnType<typeof createRefreshBatches>) {
  let waiting = [...batches.keys()];
  let responded = 0;
  let failed = 0;
  let failuresInARow = 0;
  return {
    waiting: (): readonly number[] => waiting,
    counts: () => ({ batches: responded, failedBatches: failed }),

    /**
     * Takes the results of the first waiting batches. Rate-limited batches wait again, before all others.
     * @returns when to retry the rate-limited batches (unix ms); null if there are none
     * @throws if the sources count as down
     */
    finish(results: readonly { readonly index: number; readonly result: BatchResult }[]): number | null {
      const limited: number[] = [];
      let retryAt = Number.POSITIVE_INFINITY;
      let lastError: unknown = null;
      for (const { index, result } of results) {
        if ('retryAt' in result) {
          limited.push(index);
          retryAt = Math.min(retryAt, result.retryAt);
        } else if ('response' in result) {
          finish({ index, response: result.response });
          responded++;
          failuresInARow = 0;
        } else {
          finish({ index, response: null });
          failed++;
          failuresInARow++;
          lastError = result.error;
        }
      }
      waiting = [...limited, ...waiting.slice(results.length)];
      const hasNoResponses = waiting.length === 0 && responded === 0;
      if (failuresInARow >= MAX_FAILURES_IN_A_ROW || hasNoResponses) {
        throw new Error(`No price source responded: ${String(lastError)}`, { cause: lastError });
      }
      return limited.length === 0 ? null : retryAt;
    },
  };
}

interface Wait {
  readonly retryAt: number;
  readonly deadline: number;
  readonly lease: Lease;
  readonly clock: Clock;
}

/** Sleeps until a source accepts requests, renewing the lease. False at once if the deadline is sooner. */
async function waitUntil({ retryAt, deadline, lease, clock }: Wait): Promise<boolean> {
  const until = Math.max(retryAt, clock.now() + MIN_WAIT_MS);
  if (until > deadline) return false;
  for (let left = until - clock.now(); left > 0; left = until - clock.now()) {
    await clock.sleep(Math.min(left, LEASE_RENEWAL_MS));
    await lease.save();
  }
  return true;
}
