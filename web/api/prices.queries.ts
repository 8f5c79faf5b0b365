import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { MAX_MINTS_PER_REQUEST, POLL_MS, PRICE_RETRIES } from '#schema/constants.ts';
import type { ShownPrices, TokenLookup } from '#schema/contracts/prices.ts';
import { client, read } from './client.ts';

/** Current prices by mint; a mint without a price is left out. Sorted, so that equal sets share an answer. */
export const pricesQuery = (mints: readonly string[]) => {
  const sorted = [...new Set(mints)].sort();
  return queryOptions({
    queryKey: ['prices', sorted],
    queryFn: () => fetchPrices(sorted),
    enabled: sorted.length > 0,
    refetchInterval: POLL_MS.prices,
    retry: PRICE_RETRIES,
    placeholderData: keepPreviousData,
  });
};

/** A token by its mint, with its current price where a source has one. */
export const tokenQuery = (mint: string) =>
  queryOptions({
    queryKey: ['tokens', mint],
    queryFn: (): Promise<TokenLookup> => read(client.api.tokens[':mint'].$get({ param: { mint: encodeURIComponent(mint) } })),
  });

async function fetchPrices(mints: readonly string[]): Promise<ShownPrices> {
  const batches: string[] = [];
  for (let start = 0; start < mints.length; start += MAX_MINTS_PER_REQUEST) {
    batches.push(mints.slice(start, start + MAX_MINTS_PER_REQUEST).join(','));
  }
  const answers = await Promise.all(batches.map((batch) => read(client.api.prices.$get({ query: { mints: batch } }))));
  return Object.assign({}, ...answers) as ShownPrices;
}
