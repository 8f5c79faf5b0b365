import { PRICE_BATCH_SIZE, SHOWN_PRICE_WINDOW_MS } from '#schema/constants/prices.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { ShownPrice } from '#schema/contracts/prices.ts';
import type { ChainSlot } from '#schema/rules/prices/quotes.ts';
import type { Base } from '../../../app/base.ts';
import type { PriceSource } from '../../../ports/price-source.ts';
import { splitBatches } from '../../../shared/batches.ts';
import { withTimeout } from '../../../shared/with-timeout.ts';
import { requestPrices } from './request-sources.ts';
import type { StoredPrice } from './price-shards.ts';

/**
 * Sources lag by a few slots. If a source saw a price shortly before the five-second window began (by at most
 * this much), the price gets the start of the window as its time. The exact time would reveal that another user
 * had requested the price.
 */
const SOURCE_LAG_MS = 5 * SECOND_MS;

/** A viewer waits this long for another one's request. This is longer than the timeouts of both price sources together. */
const MAX_WAIT_MS = 12 * SECOND_MS;
const MAX_REMEMBERED = 2_000;

export const windowStart = (at: number): number => at - (at % SHOWN_PRICE_WINDOW_MS);

export interface SharedMint {
  readonly mint: string;
  /** The group that shares the response. A fast one reveals to this group that somebody has asked before. */
  readonly audience: string;
}

interface ShownPricesQuery {
  readonly mints: readonly SharedMint[];
  readonly person: string | null;
  readonly waitMs?: number;
}

export interface PriceCacheOptions extends Pick<Base, 'lifetime' | 'clock'> {
  readonly sources: readonly PriceSource[];
  readonly readSlot: () => Promise<ChainSlot | null>;
}

const idOf = ({ audience, mint }: SharedMint) => `${audience} ${mint}`;

/** Prices at most five seconds old, shared only within an audience (docs/decisions/011-shown-prices-hide-calls.md). */
export function createPriceCache({ sources, readSlot, clock, lifetime }: PriceCacheOptions) {
  /** Also the requests that are running, and the prices that no source has. */
  const remembered = new Map<string, { window: number; price: Promise<StoredPrice | undefined> }>();

  const start = (
    shared: readonly SharedMint[],
    { person, window }: { person: string | null; window: number },
  ) => {
    const mints = [...new Set(shared.map(({ mint }) => mint))];
    const priority = { isUrgent: false, person };
    const response = requestPrices({ sources, mints, priority, current: readSlot(), clock });
    const prices = response.catch((error: unknown) => {
      for (const each of shared) remembered.delete(idOf(each));
      throw error;
    });
    // Other viewers may wait for it, so it goes on if this request is cancelled.
    lifetime.keepAlive(prices);
    for (const each of shared) {
      remembered.set(idOf(each), { window, price: prices.then(({ responses }) => responses.get(each.mint)) });
    }
  };

  return {
    /** The prices as everybody in their audiences sees them, in the same order; undefined without one. Never throws. */
    show({ mints, person, waitMs = MAX_WAIT_MS }: ShownPricesQuery): Promise<(ShownPrice | undefined)[]> {
      const window = windowStart(clock.now());
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      const missing = mints.filter((each) => remembered.get(idOf(each))?.window !== window);
      for (const batch of splitBatches(missing, PRICE_BATCH_SIZE)) start(batch, { person, window });
      return Promise.all(
        mints.map(async (each) => {
          const price = remembered.get(idOf(each))?.price ?? Promise.resolve(undefined);
          const found = await withTimeout(price, waitMs).catch(() => undefined);
          return found && showPrice(found, window);
        }),
      );
    },
  };
}

export function showPrice(price: StoredPrice, window: number): ShownPrice {
  return describePrice({ ...price, at: price.at < window - SOURCE_LAG_MS ? price.at : window });
}

export function describePrice({ price, at, source }: StoredPrice): ShownPrice {
  return { price, at: new Date(at).toISOString(), source };
}
