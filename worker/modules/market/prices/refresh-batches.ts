import { PRICE_BATCH_SIZE } from '#schema/constants.ts';
import { isStale } from '#schema/rules/prices/quotes.ts';
import { BULK, SourceBackoffError } from '../../../ports/price-source.ts';
import { askPrices, type PricesRequest, type SeenPrice, type SeenPrices } from './ask-sources.ts';
import type { Sightings } from './unpriced-mints.repository.ts';
import { groupByShard } from './price-shards.ts';

export interface BatchAnswer {
  readonly prices: SeenPrices;
  readonly sightings: Sightings;
  readonly at: number;
}

/**
 * The prices of a batch. If a source is rate-limited, the time to retry it (unix ms). Otherwise the last
 * source's error.
 */
export type BatchResult =
  | { readonly answer: BatchAnswer }
  | { readonly retryAt: number }
  | { readonly error: unknown };

const isRateLimit = (error: unknown): error is SourceBackoffError =>
  error instanceof SourceBackoffError && !error.isFailing;

/** Fetches one batch and drops stale prices. If a source is rate-limited, returns when to retry it. Never throws. */
export async function fetchBatch(request: Omit<PricesRequest, 'asking' | 'isFinal'>): Promise<BatchResult> {
  try {
    const { answers, askedAt, isComplete } = await askPrices({
      ...request,
      asking: BULK,
      isFinal: isRateLimit,
    });
    const fresh = [...answers].filter(([, { at }]) => !isStale({ at, now: askedAt }));
    const seen = request.mints.flatMap((mint) => {
      const seenAt = answers.get(mint)?.at;
      return seenAt === undefined && !isComplete ? [] : [[mint, seenAt ?? null] as const];
    });
    return { answer: { prices: new Map(fresh), sightings: new Map(seen), at: askedAt } };
  } catch (error) {
    return isRateLimit(error) ? { retryAt: error.retryAt } : { error };
  }
}

export interface FetchedShard {
  readonly shard: number;
  /** The cursor after this shard; null for the last shard. */
  readonly next: string | null;
  /** The mints with an active call. The prices and sightings of idle mints aren't in the next two fields. */
  readonly mints: readonly string[];
  readonly fetched: SeenPrices;
  readonly sightings: Sightings;
  /** The prices of all mints, for marks. */
  readonly seen: SeenPrices;
  /** The time of the shard's earliest response in unix ms. Null if all its batches failed. */
  readonly at: number | null;
}

interface OpenShard extends FetchedShard {
  readonly fetched: Map<string, SeenPrice>;
  readonly sightings: Map<string, number | null>;
  readonly seen: Map<string, SeenPrice>;
  at: number | null;
  pending: number;
}

export interface RefreshPlan {
  /** All mints of some shards. */
  readonly mints: readonly string[];
  /** Those of them without an active call. Their prices are only recorded as marks. */
  readonly idle: ReadonlySet<string>;
  /** The shard at which the next run begins. Null if this run finishes the round. */
  readonly nextShard: number | null;
}

/**
 * Splits the mints into full batches in the order of their shards. A batch may span several shards, so a
 * refresh needs as few requests as possible.
 */
export function createRefreshBatches({ mints, idle, nextShard }: RefreshPlan) {
  const byShard = groupByShard(mints);
  const groups = [...byShard].sort(([a], [b]) => a - b);
  const isLastPart = nextShard === null;
  const shards: OpenShard[] = groups.map(([shard, members], index) => ({
    shard,
    next: isLastPart && index === groups.length - 1 ? null : String(shard + 1),
    mints: members.filter((mint) => !idle.has(mint)).toSorted(),
    fetched: new Map(),
    sightings: new Map(),
    seen: new Map(),
    at: null,
    pending: members.length,
  }));
  const members = shards.flatMap((shard) =>
    (byShard.get(shard.shard) ?? []).toSorted().map((mint) => ({ mint, shard })),
  );
  const batches = Array.from({ length: Math.ceil(members.length / PRICE_BATCH_SIZE) }, (_, index) =>
    members.slice(index * PRICE_BATCH_SIZE, (index + 1) * PRICE_BATCH_SIZE),
  );

  return {
    mintCount: members.length,
    /** False if some shards are left for the next run. */
    isLastPart,
    batches: batches.map((batch): readonly string[] => batch.map(({ mint }) => mint)),

    settle({ index, answer }: { index: number; answer: BatchAnswer | null }): void {
      for (const { mint, shard } of batches[index] ?? []) {
        shard.pending--;
        if (answer === null) continue;
        shard.at = Math.min(shard.at ?? answer.at, answer.at);
        const price = answer.prices.get(mint);
        if (price !== undefined) shard.seen.set(mint, price);
        if (idle.has(mint)) continue;
        if (price !== undefined) shard.fetched.set(mint, price);
        const seenAt = answer.sightings.get(mint);
        if (seenAt !== undefined) shard.sightings.set(mint, seenAt);
      }
    },

    /** Removes and returns the finished shards before the first unfinished one. */
    takeFetched(): FetchedShard[] {
      const firstPending = shards.findIndex(({ pending }) => pending > 0);
      return shards.splice(0, firstPending === -1 ? shards.length : firstPending);
    },
  };
}
