import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { client, read } from './client.ts';
import { refetchAlways } from './refetch.ts';

export const webhookQuery = queryOptions({
  queryKey: ['user', 'webhook'],
  queryFn: () => read(client.api.user.webhook.$get()),
});

export const saveWebhookMutation = mutationOptions({
  mutationFn: (url: string) => read(client.api.user.webhook.$put({ json: { url } })),
  // The secret is in no cache.
  gcTime: 0,
  onSettled: refetchAlways(webhookQuery.queryKey),
});

export const removeWebhookMutation = mutationOptions({
  mutationFn: () => read(client.api.user.webhook.$delete()),
  onSettled: refetchAlways(webhookQuery.queryKey),
});

export const testWebhookMutation = mutationOptions({
  mutationFn: () => read(client.api.user.webhook.test.$post()),
});
