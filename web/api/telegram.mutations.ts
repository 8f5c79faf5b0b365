import { mutationOptions } from '@tanstack/react-query';
import type { SendUpdateBody } from '#schema/contracts/notifications.ts';
import { client, read } from './client.ts';
import { CHANGE_NOTIFICATIONS_KEY, type NotificationChange } from './notification-changes.ts';
import { currentUserQuery } from './session.queries.ts';
import { storeResponse } from './store-response.ts';
import { deliveriesQuery, notificationSettingsQuery } from './telegram.queries.ts';
import { refetch, refetchInBackground } from './refetch.ts';

/** Saves a Telegram handle and returns a link that connects the chat. Only the newest link works. */
export const connectTelegramMutation = mutationOptions({
  mutationFn: (telegramHandle: string) =>
    read(client.api.user['telegram-connect'].$post({ json: { telegramHandle } })),
  onSuccess: refetch(currentUserQuery.queryKey),
});

export const disconnectTelegramMutation = mutationOptions({
  mutationFn: () => read(client.api.user['telegram-disconnect'].$delete()),
  onSuccess: refetch(currentUserQuery.queryKey),
});

/** Switches calls from the chat with the bot on or off. */
export const switchTelegramCallsMutation = mutationOptions({
  mutationFn: (isOn: boolean) => read(client.api.user['telegram-calls'].$patch({ json: { isOn } })),
  onSuccess: refetch(currentUserQuery.queryKey),
});

/** Refetches the account, because only the server knows whether the user pressed Start in Telegram. */
export const checkTelegramMutation = mutationOptions({
  mutationFn: (_: void, context) => context.client.fetchQuery({ ...currentUserQuery, staleTime: 0 }),
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
