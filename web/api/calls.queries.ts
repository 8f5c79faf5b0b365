import { queryOptions } from '@tanstack/react-query';
import { CLOSE_INTERVAL_MS } from '#schema/constants/prices.ts';
import { POLL_MS } from '#schema/constants/web.ts';
import type { EndedCallsQuery } from '#schema/contracts/calls.ts';
import { client, read } from './client.ts';
import { pollUnlessLive } from './live-state.ts';
import { pagedQuery } from './pages.ts';

/** Query parameters of the list of ended calls: at most one filter. */
export type EndedCallsFilter = Readonly<Partial<Pick<EndedCallsQuery, 'only' | 'symbol'>>>;

/** Ended calls of all callers, newest first. */
export const endedCallsQuery = (filter: EndedCallsFilter) =>
  pagedQuery(
    ['token-calls', 'ended', filter],
    (query) => client.api['token-calls'].ended.$get({ query: { ...filter, ...query } }),
    { refetchInterval: POLL_MS.endedCalls },
  );

/** A caller's active calls, only for viewers with `canSeeActiveCalls`. Others get a 403. */
export const activeCallsQuery = (callerId: string) =>
  queryOptions({
    queryKey: ['token-calls', 'caller', callerId, 'active'],
    queryFn: () => read(client.api['token-calls'].caller[':id'].active.$get({ param: { id: callerId } })),
    refetchInterval: () => pollUnlessLive(POLL_MS.activeCalls),
  });

export const callerHistoryQuery = (callerId: string) =>
  queryOptions({
    queryKey: ['token-calls', 'caller', callerId, 'history'],
    queryFn: () =>
      read(client.api['token-calls'].caller[':id'].history.$get({ param: { id: callerId }, query: {} })),
  });

/** One call. Polled while the call is active, because it may end or get updates. */
export const callQuery = (id: string) =>
  queryOptions({
    queryKey: ['token-calls', 'one', id],
    queryFn: () => read(client.api['token-calls'][':id'].$get({ param: { id: encodeURIComponent(id) } })),
    refetchInterval: ({ state }) => (state.data?.isActive ? pollUnlessLive(POLL_MS.activeCalls) : false),
  });

export const callChartQuery = ({ id, isActive }: { id: string; isActive: boolean }) =>
  queryOptions({
    queryKey: ['token-calls', 'one', id, 'chart'],
    queryFn: () =>
      read(client.api['token-calls'][':id'].chart.$get({ param: { id: encodeURIComponent(id) } })),
    refetchInterval: isActive ? CLOSE_INTERVAL_MS : false,
  });

export const tokenCallsQuery = (mint: string) =>
  queryOptions({
    queryKey: ['token-calls', 'token', mint],
    queryFn: () => read(client.api.tokens[':mint'].calls.$get({ param: { mint: encodeURIComponent(mint) } })),
    refetchInterval: ({ state }) => (state.data?.active.length ? pollUnlessLive(POLL_MS.activeCalls) : false),
  });
