import type { ShownPrice, ShownPrices } from '#schema/contracts/prices.ts';
import { staleAge, youngerPrice } from '#schema/rules/prices/price-age.ts';
import { windowStart } from './batched-cache.ts';
import { createPriceCache, describePrice, type PriceCacheOptions, type PriceRequest } from './price-cache.ts';
import type { PriceStore } from './price-store.ts';
import type { PublicPrices } from './public-prices.ts';

/** All visitors without a session together get one person's share of a source's rate limit. */
export const VISITORS = 'visitors';

export interface ActiveCall {
  readonly callerId: string;
  readonly mint: string;
  readonly calledAt: number;
}

export interface LivePricesRequest extends Pick<PriceRequest, 'person'> {
  readonly calls: readonly ActiveCall[];
  /** Only for responses that all arrive at the same time, however fast each price was. */
  readonly audience?: string;
}

export interface ShownPricesOptions extends PriceCacheOptions {
  readonly store: Pick<PriceStore, 'read'>;
  readonly publicPrices: PublicPrices;
  readonly takeUnknownMint: (network: string) => Promise<boolean>;
}

/** Prices for display. They never open or end a call. */
export function createShownPrices(options: ShownPricesOptions) {
  const { sources, store, publicPrices, takeUnknownMint, readSlot, clock, lifetime } = options;
  const cache = createPriceCache({ sources, readSlot, clock, lifetime });

  const readStored = async (mints: readonly string[]): Promise<ShownPrices> => {
    const stored = await store.read(mints);
    return Object.fromEntries([...stored].map(([mint, price]) => [mint, describePrice(price)]));
  };

  return {
    /**
     * Public mints have their stored price, with its age. Other mints have a price fetched at most five seconds ago. They
     * are left out without one: only mints with active calls have a stored price, so it would reveal these calls. If the
     * network has asked for too many of them, leaves them out, too.
     * @returns `isPublic`: whether the response is the same for every visitor
     */
    async shownPrices({ mints, network }: { mints: readonly string[]; network: string }) {
      const known = await publicPrices.show(mints, network);
      const requests: PriceRequest[] = [];
      for (const mint of mints.filter((each) => !known.has(each))) {
        if (!(await takeUnknownMint(network))) break;
        requests.push({ mint, person: VISITORS, audience: `network ${network}` });
      }
      const others = requests.map(async (request) => [request.mint, await cache.show(request)] as const);
      const prices = [...known, ...(await Promise.all(others))].flatMap(([id, price]) =>
        price === undefined ? [] : [[id, price] as const],
      );
      return {
        prices: Object.fromEntries(prices),
        isPublic: known.size === mints.length,
      };
    },

    /**
     * The current price of each call, in the same order, for somebody who may see the calls. Falls back to the stored
     * price if the sources are slow, fail or have an old price. By default, only viewers of the same caller share responses.
     * Otherwise a fast response would reveal that another caller has called the token.
     */
    async livePrices({ calls, person, audience }: LivePricesRequest) {
      if (calls.length === 0) return [];
      const fresh = await cache.showSoon(
        calls.map(({ mint, callerId }) => ({ mint, person, audience: audience ?? `calls of ${callerId}` })),
      );
      const isOld = (price: ShownPrice | undefined) =>
        price === undefined || staleAge(price, clock.now()) !== null;
      const stored = await readStored(
        calls.flatMap(({ mint }, index) => (isOld(fresh[index]) ? [mint] : [])),
      );
      return calls.map(({ mint, calledAt }, index) => {
        const last = stored[mint];
        const isSinceCall = last !== undefined && Date.parse(last.at) >= calledAt;
        return youngerPrice(fresh[index], isSinceCall ? last : undefined);
      });
    },

    /**
     * The price of a mint that somebody wants to call, at most five seconds old; null if there is none. The
     * response isn't shared with other people: a fast response would reveal that somebody else has called the
     * token.
     */
    async recentPrice({ mint, userId }: { mint: string; userId: string }): Promise<string | null> {
      const recent = await cache.show({ mint, person: userId, audience: `person ${userId}` });
      return recent === undefined || staleAge(recent, clock.now()) !== null ? null : recent.price;
    },

    /** Changes with every new window of prices. It is part of the version of polled responses with current prices. */
    shownVersion: (): number => windowStart(clock.now()),

    /** The last stored prices. Check first that the viewer has access to calls of these mints. */
    storedPrices: readStored,
  };
}
