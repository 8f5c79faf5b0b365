import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { TOKEN_SEARCH_KEPT_MS } from '#schema/constants/prices.ts';
import { client, read } from './client.ts';

export const calledTokensQuery = (text: string) =>
  queryOptions({
    queryKey: ['tokens', 'called', text.toLowerCase()],
    queryFn: () => read(client.api.tokens.called.$get({ query: { q: text } })),
    placeholderData: keepPreviousData,
    staleTime: TOKEN_SEARCH_KEPT_MS,
  });
