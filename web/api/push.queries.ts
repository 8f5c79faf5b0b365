import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { PushDeviceBody } from '#schema/contracts/push.ts';
import { client, read } from './client.ts';
import { currentUserQuery } from './session.queries.ts';
import { storeResponse } from './store-response.ts';

export const pushQuery = queryOptions({
  queryKey: ['user', 'push'],
  queryFn: () => read(client.api.user.push.$get()),
  staleTime: 0,
});

/** Turns notifications in this browser on, or off with `null`. */
export const changePushMutation = mutationOptions({
  mutationFn: (json: PushDeviceBody | null) =>
    json === null ? read(client.api.user.push.$delete()) : read(client.api.user.push.$put({ json })),
  onSuccess: async (settings, _device, _result, context) => {
    await storeResponse(context.client, pushQuery, settings);
    return context.client.invalidateQueries({ queryKey: currentUserQuery.queryKey });
  },
});
