import { queryOptions } from '@tanstack/react-query';
import { TOKEN_SEARCH_KEPT_MS } from '#schema/constants/prices.ts';
import { client, read } from './client.ts';

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
