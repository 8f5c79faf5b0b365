import { keepPreviousData, queryOptions, replaceEqualDeep } from '@tanstack/react-query';
import { MAX_MINTS_PER_REQUEST, TOKEN_SEARCH_KEPT_MS } from '#schema/constants/prices.ts';
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

export const tokenQuery = (mint: string) =>
  queryOptions({
    queryKey: ['tokens', mint],
    queryFn: () => read(client.api.tokens[':mint'].$get({ param: { mint: encodeURIComponent(mint) } })),
  });

/** Searches tokens without waiting for a connection, so that the field can report an outage. */
export const tokenSearchQuery = (text: string) =>
  queryOptions({
    queryKey: ['tokens', 'search', text.toLowerCase()],
    queryFn: () => read(client.api.tokens.search.$get({ query: { q: text } })),
    staleTime: TOKEN_SEARCH_KEPT_MS,
    gcTime: TOKEN_SEARCH_KEPT_MS,
    networkMode: 'always',
    retry: false,
    refetchOnReconnect: true,
  });

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
