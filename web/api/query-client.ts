import { QueryClient } from '@tanstack/react-query';
import { onSignedOut } from './client.ts';
import { currentUserQuery, sessionEndedQuery } from './session.queries.ts';

/**
 * Queries never go stale, are not retried and are not refetched on focus, unless they say otherwise. A 401
 * keeps the page and its user, and marks the session as ended.
 */
export function createQueryClient(): QueryClient {
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: false,
      },
      mutations: { retry: false },
    },
  });
  onSignedOut(() => {
    // A visitor who never signed in has no session to end.
    if (!queryClient.getQueryData(currentUserQuery.queryKey)) return;
    queryClient.setQueryData(sessionEndedQuery.queryKey, true);
  });
  return queryClient;
}
