import { mutationOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { client, read } from './client.ts';

/**
 * The user's sessions: the current one first, then by last use. Refetched when the user returns to the tab,
 * because sessions also start and end in other browsers.
 */
export const sessionsQuery = queryOptions({
  queryKey: ['user', 'sessions'],
  queryFn: () => read(client.api.user.sessions.$get()),
  staleTime: 0,
  refetchOnWindowFocus: true,
});

export const endSessionMutation = (queryClient: QueryClient) =>
  mutationOptions({
    mutationFn: (id: string) => read(client.api.user.sessions[':id'].$delete({ param: { id } })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });

export const endOtherSessionsMutation = (queryClient: QueryClient) =>
  mutationOptions({
    mutationFn: () => read(client.api.user.sessions.$delete()),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
