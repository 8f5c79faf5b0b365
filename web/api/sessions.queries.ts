import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { client, read } from './client.ts';
import { refetchAlways } from './refetch.ts';

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

export const endSessionMutation = mutationOptions({
  mutationFn: (id: string) => read(client.api.user.sessions[':id'].$delete({ param: { id } })),
  onSettled: refetchAlways(sessionsQuery.queryKey),
});

export const endOtherSessionsMutation = mutationOptions({
  mutationFn: () => read(client.api.user.sessions.$delete()),
  onSettled: refetchAlways(sessionsQuery.queryKey),
});
