import { QueryClient } from '@tanstack/react-query';
import { onSignedOut } from './client.ts';
import { currentUserQuery } from './session.queries.ts';

/**
 * Queries never go stale, are not retried and are not refetched on focus, unless they say otherwise. A 401 signs the
 * user out in the app.
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
    // Do nothing if the user is already signed out, or if the session query itself got the 401.
    if (!queryClient.getQueryData(currentUserQuery.queryKey)) return;
    queryClient.setQueryData(currentUserQuery.queryKey, null);
    // A profile depends on the viewer's access, so refetch it.
    void queryClient.invalidateQueries({ queryKey: ['callers', 'profile'] });
  });
  return queryClient;
}
