import { isStale, seenAt, type ChainSlot } from '#schema/rules/prices/quotes.ts';
import type { Base } from '../../../app/base.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { RequestPriority, PriceSource } from '../../../ports/price-source.ts';
import type { StoredPrice } from './price-shards.ts';

interface SourcesRequest<Value> {
  readonly sources: readonly PriceSource[];
  readonly mints: readonly string[];
  readonly sendRequest: (
    source: PriceSource,
    mints: readonly string[],
  ) => Promise<ReadonlyMap<string, Value>>;
  readonly isIncomplete: (known: Value) => boolean;
  readonly merge: (known: Value, next: Value) => Value;
  /** True if this error must be thrown instead of asking the next source. Ignored if a source has already responded. */
  readonly isFinal?: (error: unknown) => boolean;
  readonly clock: Clock;
}

/**
 * Asks sources in order of preference. Asks each source only about the mints that are still missing or
 * incomplete. Skips a source that fails.
 * @returns `isComplete`: false if a source failed, because that source may have the missing values
 * @throws the last failure if no source responds
 */
export async function requestSources<Value>({
  sources,
  mints,
  sendRequest,
  isIncomplete,
  merge,
  isFinal = () => false,
  clock,
}: SourcesRequest<Value>) {
  const responses = new Map<string, Value>();
  let requestedAt: number | null = null;
  let failure: unknown = new Error('There is no price source');
  let isComplete = true;
  for (const source of sources) {
    const remaining = mints.filter((mint) => {
      const known = responses.get(mint);
      return known === undefined || isIncomplete(known);
    });
    if (remaining.length === 0) break;
    const now = clock.now();
    try {
      for (const [mint, next] of await sendRequest(source, remaining)) {
        const known = responses.get(mint);
        responses.set(mint, known === undefined ? next : merge(known, next));
      }
      requestedAt ??= now;
    } catch (error) {
      failure = error;
      isComplete = false;
      if (requestedAt === null && isFinal(error)) break;
    }
  }
  if (requestedAt === null) throw failure;
  return { responses, requestedAt, isComplete };
}

export interface SeenPrice extends StoredPrice {
  readonly liquidityUsd: number | null;
  /** The older price of another source that it replaced. */
  readonly replaced?: SeenPrice;
}

export type SeenPrices = ReadonlyMap<string, SeenPrice>;

type SharedFields = Pick<SourcesRequest<SeenPrice>, 'sources' | 'mints' | 'isFinal' | 'clock'>;

export interface PricesRequest extends SharedFields {
  readonly priority: RequestPriority;
  readonly current: Promise<ChainSlot | null>;
  /**
   * The next source is also asked about a price that was seen before this time (unix ms). Default: about a stale
   * price.
   */
  readonly since?: number;
}

/** Prices with the times when sources saw them. If one is stale, asks the next source for a newer one. */
export function requestPrices({ current, priority, since, ...request }: PricesRequest) {
  const { clock } = request;
  return requestSources({
    ...request,
    sendRequest: async (source, mints) => {
      const fetchedAt = clock.now();
      const [prices, slot] = await Promise.all([source.prices(mints, priority), current]);
      return new Map(
        [...prices].map(([mint, { price, blockId, liquidityUsd }]) => [
          mint,
          { price, source: source.name, at: seenAt({ fetchedAt, blockId, current: slot }), liquidityUsd },
        ]),
      );
    },
    isIncomplete: ({ at }) => (since === undefined ? isStale({ at, now: clock.now() }) : at < since),
    merge: (known, next) => (next.at > known.at ? { ...next, replaced: known } : known),
  });
}

export function createSlotReader({ chain, clock }: Pick<Base, 'chain' | 'clock'>) {
  return async (): Promise<ChainSlot | null> => {
    try {
      const slotMs = await chain.slotMs();
      return { slot: await chain.slot(), at: clock.now(), slotMs };
    } catch {
      return null;
    }
  };
}
