import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { CreateApiKeyBody } from '#schema/contracts/api-keys.ts';
import { client, read } from './client.ts';

export const apiKeysQuery = queryOptions({
  queryKey: ['user', 'api-keys'],
  queryFn: () => read(client.api.user['api-keys'].$get()),
});

export const createApiKeyMutation = mutationOptions({
  mutationFn: (json: CreateApiKeyBody) => read(client.api.user['api-keys'].$post({ json })),
  // The key is in no cache.
  gcTime: 0,
  onSettled: (_data, _error, _variables, _result, context) =>
    context.client.invalidateQueries({ queryKey: apiKeysQuery.queryKey }),
});

export const revokeApiKeyMutation = mutationOptions({
  mutationFn: (id: string) => read(client.api.user['api-keys'][':id'].$delete({ param: { id } })),
  onSettled: (_data, _error, _variables, _result, context) =>
    context.client.invalidateQueries({ queryKey: apiKeysQuery.queryKey }),
});
