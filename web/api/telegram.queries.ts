import { queryOptions, useMutationState, useQuery, mutationOptions } from '@tanstack/react-query';
import { POLL_MS } from '#schema/constants/web.ts';
import type { CallerSummary } from '#schema/contracts/callers.ts';
import type {
  NotificationSettings,
  NotificationSwitch,
  SendUpdateBody,
} from '#schema/contracts/notifications.ts';
import { client, read } from './client.ts';
import { pagedQuery } from './pages.ts';
import { currentUserQuery } from './session.queries.ts';
import { storeResponse } from './store-response.ts';
import { refetch, refetchInBackground } from './refetch.ts';

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
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The key belongs to one mutation.
    select: ({ state }) => state.variables as NotificationChange,
  });
  return { ...query, data: query.data && changes.reduce(withChange, query.data) };
}

export const deliveriesQuery = pagedQuery(
  ['telegram', 'deliveries'],
  (query) => client.api.telegram.deliveries.$get({ query }),
  {
    staleTime: 0,
    refetchInterval: POLL_MS.deliveries,
  },
);

export type NotificationChange =
  | NotificationSwitch
  | { readonly caller: CallerSummary; readonly isMuted: boolean };

export const CHANGE_NOTIFICATIONS_KEY = ['user', 'notifications', 'change'] as const;

function withChange(
  { kinds, mutedCallers }: NotificationSettings,
  change: NotificationChange,
): NotificationSettings {
  if ('kind' in change) return { kinds: { ...kinds, [change.kind]: change.isOn }, mutedCallers };
  const others = mutedCallers.filter(({ id }) => id !== change.caller.id);
  return { kinds, mutedCallers: change.isMuted ? [...others, change.caller] : others };
}

export const connectTelegramMutation = mutationOptions({
  mutationFn: (telegramHandle: string) =>
    read(client.api.user['telegram-connect'].$post({ json: { telegramHandle } })),
  onSuccess: refetch(currentUserQuery.queryKey),
});

export const disconnectTelegramMutation = mutationOptions({
  mutationFn: () => read(client.api.user['telegram-disconnect'].$delete()),
  onSuccess: refetch(currentUserQuery.queryKey),
});

export const switchTelegramCallsMutation = mutationOptions({
  mutationFn: (isOn: boolean) => read(client.api.user['telegram-calls'].$patch({ json: { isOn } })),
  onSuccess: refetch(currentUserQuery.queryKey),
});

export const sendUpdateMutation = mutationOptions({
  mutationFn: (body: SendUpdateBody) => read(client.api.telegram['send-update'].$post({ json: body })),
  onSuccess: refetchInBackground(deliveriesQuery.queryKey),
});

/** Changes the notification settings. Changes are sent one after the other, so that the last one wins. */
export const changeNotificationsMutation = mutationOptions({
  mutationKey: CHANGE_NOTIFICATIONS_KEY,
  scope: { id: CHANGE_NOTIFICATIONS_KEY.join(' ') },
  mutationFn: (change: NotificationChange) => {
    const { notifications } = client.api.user;
    if ('kind' in change) return read(notifications.$patch({ json: change }));
    const mute = notifications.mutes[':callerId'];
    const path = { param: { callerId: change.caller.id } };
    return read(change.isMuted ? mute.$put(path) : mute.$delete(path));
  },
  onSuccess: (settings, _change, _result, context) =>
    storeResponse(context.client, notificationSettingsQuery, settings),
});
