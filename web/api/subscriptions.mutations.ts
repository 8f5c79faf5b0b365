import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import { hasCode } from './api-error.ts';
import { client, read, send } from './client.ts';
import { notificationSettingsQuery } from './telegram.queries.ts';
import { refetch } from './refetch.ts';

const SUBSCRIPTION_KEYS = [['subscriptions'], ['callers'], ['token-calls', 'caller']] as const;

/** Key of the mutations that follow a caller for free. Their variable is the caller's id. */
export const SUBSCRIBE_FREE_KEY = ['subscriptions', 'free'] as const;

export const subscribeFreeMutation = mutationOptions({
  mutationKey: SUBSCRIBE_FREE_KEY,
  mutationFn: (callerId: string) => read(client.api.subscriptions.free.$post({ json: { callerId } })),
  onSuccess: refetch(...SUBSCRIPTION_KEYS),
});

/** Ends a free follow. It also unmutes the caller. */
export const unfollowMutation = mutationOptions({
  mutationFn: async (callerId: string) => {
    try {
      await send(client.api.subscriptions.free[':callerId'].$delete({ param: { callerId } }));
    } catch (error) {
      // 'Not found' means that another tab has already unfollowed, so it isn't an error.
      if (!hasCode(error, 'subscriptions.not_found')) throw error;
    }
  },
  onSuccess: refetch(...SUBSCRIPTION_KEYS, notificationSettingsQuery.queryKey),
});

export function subscriptionsChanged(queryClient: QueryClient) {
  return Promise.all(SUBSCRIPTION_KEYS.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
