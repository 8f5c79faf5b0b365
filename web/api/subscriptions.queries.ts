import { queryOptions } from '@tanstack/react-query';
import { POLL_MS } from '#schema/constants/web.ts';
import { client, read } from './client.ts';
import { pollUnlessLive } from './live-state.ts';

export const mySubscriptionsQuery = queryOptions({
  queryKey: ['subscriptions', 'my'],
  queryFn: () => read(client.api.subscriptions.my.$get()),
});

export const followedCallsQuery = queryOptions({
  queryKey: ['subscriptions', 'calls'],
  queryFn: () => read(client.api.subscriptions.calls.$get()),
  refetchInterval: () => pollUnlessLive(POLL_MS.subscriptionCalls),
});
