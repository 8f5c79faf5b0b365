import { queryOptions } from '@tanstack/react-query';
import { POLL_MS } from '#schema/constants/web.ts';
import type { SubscriberFilter } from '#schema/contracts/subscriptions.ts';
import { client, read } from './client.ts';
import { pollUnlessLive } from './live-state.ts';
import { pagedQuery } from './pages.ts';

export const mySubscriptionsQuery = queryOptions({
  queryKey: ['subscriptions', 'my'],
  queryFn: () => read(client.api.subscriptions.my.$get()),
});

export const followedCallsQuery = queryOptions({
  queryKey: ['subscriptions', 'calls'],
  queryFn: () => read(client.api.subscriptions.calls.$get()),
  refetchInterval: () => pollUnlessLive(POLL_MS.subscriptionCalls),
});

export const SUBSCRIBERS_CSV_PATH = '/api/payments/subscribers.csv';

/** The dashboard shows this many at first. */
const FIRST_SUBSCRIBERS = '6';

/** The people who pay the user. Refetched on every visit and with the payments, because subscriptions also end by themselves. */
export const subscribersQuery = (show: SubscriberFilter) =>
  pagedQuery(
    ['payments', 'subscribers', show],
    ({ cursor }) =>
      client.api.payments.subscribers.$get({
        query: cursor === undefined ? { show, limit: FIRST_SUBSCRIBERS } : { show, cursor },
      }),
    { staleTime: 0 },
  );
