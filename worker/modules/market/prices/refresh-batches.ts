import { PRICE_BATCH_SIZE } from '#schema/constants/prices.ts';
import { isStale } from '#schema/rules/prices/quotes.ts';
import { BULK, SourceBackoffError } from '../../../ports/price-source.ts';
import { requestPrices, type PricesRequest, type SeenPrice, type SeenPrices } from './request-sources.ts';
import type { LastPricedAt } from './unpriced-mints.repository.ts';
import { groupByShard } from './price-shards.ts';
import { splitBatches } from '../../../shared/batches.ts';

export interface BatchResponse {
  readonly prices: SeenPrices;
  readonly sightings: LastPricedAt;
  readonly at: number;
}

/** The prices of a batch; the time to retry a rate-limited source (unix ms); or the last source's error. */
export type BatchResult =
  | { readonly response: BatchResponse }
  | { readonly retryAt: number }
  | { readonly error: unknown };

const isRateLimit = (error: unknown): error is SourceBackoffError =>
  error instanceof SourceBackoffError && !error.isFailing;

/** Fetches one batch and drops stale prices. If a source is rate-limited, returns when to retry it. Never throws. */
export async function fetchBatch(request: Omit<PricesRequest, 'priority' | 'isFinal'>): Promise<BatchResult> {
  try {
    const { responses, requestedAt, isComplete } = await requestPrices({
      ...request,
      priority: BULK,
      isFinal: isRateLimit,
    });
    const fresh = [...responses].filter(([, { at }]) => !isStale({ at, now: requestedAt }));
    const seen = request.mints.flatMap((mint) => {
      const seenAt = responses.get(mint)?.at;
      return seenAt === undefined && !isComplete ? [] : [[mint, seenAt ?? null] as const];
    });
    return { response: { prices: new Map(fresh), sightings: new Map(seen), at: requestedAt } };
  } catch (error) {
    return isRateLimit(error) ? { retryAt: error.retryAt } : { error };
  }
}

export interface FetchedShard {
  readonly shard: number;
  readonly next: string | null;
  readonly mints: readonly string[];
  readonly fetched: SeenPrices;
  readonly sightings: LastPricedAt;
  /** The time of the shard's earliest response in unix ms. Null if all its batches failed. */
  readonly at: number | null;
}

interface OpenShard extends FetchedShard {
  readonly fetched: Map<string, SeenPrice>;
  readonly sightings: Map<string, number | null>;
  at: number | null;
  pending: number;
}

export interface RefreshPlan {
  readonly mints: readonly string[];
  readonly nextShard: number | null;
}

/**
 * Splits the mints into full batches in the order of their shards. A batch may span several shards, so a
 * refresh needs as few requests as possible.
 */
export function createRefreshBatches({ mints, nextShard }: RefreshPlan) {
  const byShard = groupByShard(mints);
  const groups = [...byShard].sort(([a], [b]) => a - b);
  const isLastPart = nextShard === null;
  const shards: OpenShard[] = groups.map(([shard, members], index) => ({
    shard,
    next: isLastPart && index === groups.length - 1 ? null : String(shard + 1),
    mints: members.toSorted(),
    fetched: new Map(),
    sightings: new Map(),
    at: null,
    pending: members.length,
  }));
  const members = shards.flatMap((shard) =>
    (byShard.get(shard.shard) ?? []).toSorted().map((mint) => ({ mint, shard })),
  );
  const batches = splitBatches(members, PRICE_BATCH_SIZE);

  return {
    mintCount: members.length,
    isLastPart,
    batches: batches.map((batch): readonly string[] => batch.map(({ mint }) => mint)),

    finish({ index, response }: { index: number; response: BatchResponse | null }): void {
      for (const { mint, shard } of batches[index] ?? []) {
        shard.pending--;
        if (response === null) continue;
        shard.at = Math.min(shard.at ?? response.at, response.at);
        const price = response.prices.get(mint);
        if (price !== undefined) shard.fetched.set(mint, price);
        const seenAt = response.sightings.get(mint);
        if (seenAt !== undefined) shard.sightings.set(mint, seenAt);
      }
    },

    takeFetched(): FetchedShard[] {
      const firstPending = shards.findIndex(({ pending }) => pending > 0);
      return shards.splice(0, firstPending === -1 ? shards.length : firstPending);
    },
  };
}
