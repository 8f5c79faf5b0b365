import { keepPreviousData, queryOptions, replaceEqualDeep } from '@tanstack/react-query';
import { MAX_MINTS_PER_REQUEST } from '#schema/constants/prices.ts';
import { POLL_MS, PRICE_RETRIES } from '#schema/constants/web.ts';
import type { ShownPrices } from '#schema/contracts/prices.ts';
import { client, read } from './client.ts';

/**
 * Current prices of tokens with ended calls, by mint. Mints without a price are left out. Requests for the
 * same mints share a cache entry, whatever their order. Never request the mint of an active call: its price
 * comes with the call (docs/decisions/011).
 */
export const publicPricesQuery = (mints: readonly string[]) => {
  const sorted = [...new Set(mints)].sort();
  return queryOptions({
    queryKey: ['prices', sorted],
    queryFn: () => fetchPrices(sorted),
    enabled: sorted.length > 0,
    placeholderData: keepPreviousData,
    // If a response lacks a mint, show its last price, which becomes stale.
    structuralSharing: (known, fetched) => replaceEqualDeep(known, Object.assign({}, known, fetched)),
    refetchInterval: POLL_MS.prices,
    retry: PRICE_RETRIES,
  });
};

async function fetchPrices(mints: readonly string[]): Promise<ShownPrices> {
  const batches: string[] = [];
  for (let start = 0; start < mints.length; start += MAX_MINTS_PER_REQUEST) {
    batches.push(mints.slice(start, start + MAX_MINTS_PER_REQUEST).join(','));
  }
  const responses = await Promise.all(
    batches.map((batch) => read(client.api.prices.$get({ query: { mints: batch } }))),
  );
  return Object.fromEntries(responses.flatMap((prices) => Object.entries(prices)));
}
