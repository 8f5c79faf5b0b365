import { QueryClient } from '@tanstack/react-query';
import { isConnectionFailure } from './api-error.ts';
import { onSignedOut } from './client.ts';
import { watchConnection } from './connection.ts';
import { currentUserQuery, sessionEndedQuery } from './session.queries.ts';

const CONNECTION_RETRIES = 3;

/**
 * By default, queries never become stale and are not refetched on focus. They are retried only if the
 * connection failed: during an outage they pause until it is over. Mutations never wait for a connection,
 * because a change that is sent minutes later would surprise the user. After a 401, the page still shows its
 * user, and the session is marked as ended.
 */
export function createQueryClient(): QueryClient {
  watchConnection();
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        networkMode: 'offlineFirst',
        retry: (failures, error) => isConnectionFailure(error) && failures < CONNECTION_RETRIES,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  onSignedOut(() => {
    // A visitor who was never signed in has no session that could end.
    if (!queryClient.getQueryData(currentUserQuery.queryKey)) return;
    queryClient.setQueryData(sessionEndedQuery.queryKey, true);
  });
  return queryClient;
}
