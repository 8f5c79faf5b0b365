import { QueryClient } from '@tanstack/react-query';
import { onSignedOut } from './client.ts';
import { currentUserQuery } from './session.queries.ts';

/** By default, data never goes stale and nothing is refetched on focus or retried. A 401 signs the user out here too. */
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
    // Already signed out, or the session query itself got the 401.
    if (!queryClient.getQueryData(currentUserQuery.queryKey)) return;
    queryClient.setQueryData(currentUserQuery.queryKey, null);
    // Profiles say what the viewer can see.
    void queryClient.invalidateQueries({ queryKey: ['callers', 'profile'] });
  });
  return queryClient;
}
