import { infiniteQueryOptions, queryOptions, useMutationState, useQuery } from '@tanstack/react-query';
import { POLL_MS } from '#schema/constants.ts';
import type { DeliveryLogEntry, NotificationSettings } from '#schema/contracts/notifications.ts';
import { client, read, send } from './client.ts';
import { readNextCursor } from './pages.ts';
import { withChange, CHANGE_NOTIFICATIONS_KEY, type NotificationChange } from './notification-changes.ts';

/** What the signed-in user wants to be told in Telegram. It may be changed on another device, so every visit asks again. */
export const notificationSettingsQuery = queryOptions({
  queryKey: ['user', 'notifications'],
  queryFn: (): Promise<NotificationSettings> => read(client.api.user.notifications.$get()),
  staleTime: 0,
});

/**
 * The settings as the user has just made them. The cache keeps what the server has said, and what was pressed since lies over
 * it until the server has answered: what it refuses falls back by itself, however much was pressed at once.
 */
export function useNotificationSettings() {
  const query = useQuery(notificationSettingsQuery);
  const changes = useMutationState({
    filters: { mutationKey: CHANGE_NOTIFICATIONS_KEY, status: 'pending' },
    select: ({ state }) => state.variables as NotificationChange,
  });
  return { ...query, data: query.data && changes.reduce(withChange, query.data) };
}

export interface DeliveriesPage {
  readonly deliveries: readonly DeliveryLogEntry[];
  readonly nextCursor: string | null;
}

/** How telling the signed-in caller's followers went, newest first, page by page. */
export const deliveriesQuery = infiniteQueryOptions({
  queryKey: ['telegram', 'deliveries'],
  queryFn: async ({ pageParam }): Promise<DeliveriesPage> => {
    const response = await send(
      client.api.telegram.deliveries.$get({ query: pageParam === null ? {} : { cursor: pageParam } }),
    );
    return { deliveries: await response.json(), nextCursor: readNextCursor(response.headers) };
  },
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
  staleTime: 0,
  refetchInterval: POLL_MS.deliveries,
});
