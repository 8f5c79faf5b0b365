import { infiniteQueryOptions, queryOptions, useMutationState, useQuery } from '@tanstack/react-query';
import { POLL_MS } from '#schema/constants.ts';
import { client, read } from './client.ts';
import { cursorPaging, cursorParam, readPage } from './pages.ts';
import { withChange, CHANGE_NOTIFICATIONS_KEY, type NotificationChange } from './notification-changes.ts';

/** Refetched on every visit, because another device may change the settings. */
export const notificationSettingsQuery = queryOptions({
  queryKey: ['user', 'notifications'],
  queryFn: () => read(client.api.user.notifications.$get()),
  staleTime: 0,
});

/** The settings with pending changes applied. If a change fails, the server's settings show again. */
export function useNotificationSettings() {
  const query = useQuery(notificationSettingsQuery);
  const changes = useMutationState({
    filters: { mutationKey: CHANGE_NOTIFICATIONS_KEY, status: 'pending' },
    select: ({ state }) => state.variables as NotificationChange,
  });
  return { ...query, data: query.data && changes.reduce(withChange, query.data) };
}

/** The delivery log of the signed-in caller's messages, newest first. */
export const deliveriesQuery = infiniteQueryOptions({
  queryKey: ['telegram', 'deliveries'],
  queryFn: ({ pageParam }) =>
    readPage(client.api.telegram.deliveries.$get({ query: cursorParam(pageParam) })),
  ...cursorPaging,
  staleTime: 0,
  refetchInterval: POLL_MS.deliveries,
});
