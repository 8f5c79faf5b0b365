import { QueryClient } from '@tanstack/react-query';
import { onSignedOut } from './client.ts';
import { currentUserQuery } from './session.queries.ts';

/**
 * Data never goes stale by itself, nothing is refetched on focus and nothing is retried: queries that differ say so.
 * An answer that nobody is signed in makes it so here too: the session may have ended elsewhere.
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
    // Of a stranger there is nothing to forget; and what asks who is there answers for itself.
    if (!queryClient.getQueryData(currentUserQuery.queryKey)) return;
    queryClient.setQueryData(currentUserQuery.queryKey, null);
    // What the viewer may do there was said to somebody signed in.
    void queryClient.invalidateQueries({ queryKey: ['callers', 'profile'] });
  });
  return queryClient;
}
