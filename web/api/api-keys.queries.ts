import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { CreateApiKeyBody } from '#schema/contracts/api-keys.ts';
import { client, read } from './client.ts';
import { refetchAlways } from './refetch.ts';

export const apiKeysQuery = queryOptions({
  queryKey: ['user', 'api-keys'],
  queryFn: () => read(client.api.user['api-keys'].$get()),
});

export const createApiKeyMutation = mutationOptions({
  mutationFn: (json: CreateApiKeyBody) => read(client.api.user['api-keys'].$post({ json })),
  // The key is in no cache.
  gcTime: 0,
  onSettled: refetchAlways(apiKeysQuery.queryKey),
});

export const revokeApiKeyMutation = mutationOptions({
  mutationFn: (id: string) => read(client.api.user['api-keys'][':id'].$delete({ param: { id } })),
  onSettled: refetchAlways(apiKeysQuery.queryKey),
});
