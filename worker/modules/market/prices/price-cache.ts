import { LIVE_PRICE_WAIT_MS, PRICE_BATCH_SIZE } from '#schema/constants/prices.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { ShownPrice } from '#schema/contracts/prices.ts';
import type { ChainSlot } from '#schema/rules/prices/quotes.ts';
import type { Base } from '../../../app/base.ts';
import type { PriceSource } from '../../../ports/price-source.ts';
import { requestPrices } from './request-sources.ts';
import { createBatchedCache, windowStart } from './batched-cache.ts';
import type { StoredPrice } from './price-shards.ts';

/**
 * Sources lag by a few slots. If a source saw a price shortly before the five-second window began (by at most
 * this much), the price gets the start of the window as its time. The exact time would reveal that another user
 * had requested the price.
 */
const SOURCE_LAG_MS = 5 * SECOND_MS;

export interface PriceRequest {
  readonly mint: string;
  /** The group that shares the response. A fast one reveals to this group that somebody has asked before. */
  readonly audience: string;
  readonly person: string | null;
}

export interface PriceCacheOptions extends Pick<Base, 'lifetime' | 'clock'> {
  readonly sources: readonly PriceSource[];
  readonly readSlot: () => Promise<ChainSlot | null>;
}

/** Prices at most five seconds old, shared only within an audience (docs/decisions/011-shown-prices-hide-calls.md). */
export function createPriceCache({ sources, readSlot, clock, lifetime }: PriceCacheOptions) {
  const requestFor = async (person: string | null, requests: readonly PriceRequest[]) => {
    const mints = [...new Set(requests.map(({ mint }) => mint))];
    const priority = { isUrgent: false, person };
    return (await requestPrices({ sources, mints, priority, current: readSlot(), clock })).responses;
  };

  const cache = createBatchedCache<PriceRequest, StoredPrice>({
    fetch: (requests) => {
      const byPerson = Map.groupBy(requests, ({ person }) => person);
      const requested = new Map([...byPerson].map(([person, group]) => [person, requestFor(person, group)]));
      return Promise.all(
        requests.map(({ person, mint }) =>
          requested.get(person)?.then(
            (prices) => prices.get(mint),
            (error: Error) => error,
          ),
        ),
      );
    },
    idOf: ({ audience, mint }) => `${audience} ${mint}`,
    batchSize: PRICE_BATCH_SIZE,
    clock,
    lifetime,
  });

  return {
    /** The price as everybody in its audience sees it; undefined without one. Never throws. */
    async show(request: PriceRequest): Promise<ShownPrice | undefined> {
      const window = windowStart(clock.now());
      const found = await cache.get(request).catch(() => undefined);
      return found && showPrice(found, window);
    },

    /** Like `show`, for many requests. Leaves out prices that aren't there after two seconds. */
    async showSoon(requests: readonly PriceRequest[]): Promise<(ShownPrice | undefined)[]> {
      const window = windowStart(clock.now());
      const found = await cache.getSoon(requests, LIVE_PRICE_WAIT_MS);
      return found.map((price) => price && showPrice(price, window));
    },
  };
}

export function showPrice(price: StoredPrice, window: number): ShownPrice {
  return describePrice({ ...price, at: price.at < window - SOURCE_LAG_MS ? price.at : window });
}

export function describePrice({ price, at, source }: StoredPrice): ShownPrice {
  return { price, at: new Date(at).toISOString(), source };
}
