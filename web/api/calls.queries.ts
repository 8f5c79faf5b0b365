import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { CLOSE_INTERVAL_MS, POLL_MS } from '#schema/constants.ts';
import type { CallChart, CallDetail, TokenCall } from '#schema/contracts/calls.ts';
import { client, read, send } from './client.ts';
import { readNextCursor } from './pages.ts';

export interface EndedCallsPage {
  readonly calls: readonly TokenCall[];
  readonly nextCursor: string | null;
}

/** Ended calls of everyone, newest first, page by page; all pages that are open are renewed together. What is no list counts as an empty one. */
export const endedCallsQuery = infiniteQueryOptions({
  queryKey: ['token-calls', 'ended'],
  queryFn: async ({ pageParam }): Promise<EndedCallsPage> => {
    const response = await send(
      client.api['token-calls'].ended.$get({ query: pageParam === null ? {} : { cursor: pageParam } }),
    );
    const calls: unknown = await response.json();
    return {
      calls: Array.isArray(calls) ? (calls as TokenCall[]) : [],
      nextCursor: readNextCursor(response.headers),
    };
  },
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
  refetchInterval: POLL_MS.endedCalls,
});

/** A caller's active calls. Ask only for whom the profile says so: others get a 403. */
export const activeCallsQuery = (callerId: string) =>
  queryOptions({
    queryKey: ['token-calls', 'caller', callerId, 'active'],
    queryFn: (): Promise<readonly TokenCall[]> =>
      read(client.api['token-calls'].caller[':id'].active.$get({ param: { id: callerId } })),
    refetchInterval: POLL_MS.activeCalls,
  });

/** A caller's ended calls; active ones too where the viewer may see them. */
export const callerHistoryQuery = (callerId: string) =>
  queryOptions({
    queryKey: ['token-calls', 'caller', callerId, 'history'],
    queryFn: (): Promise<readonly TokenCall[]> =>
      read(client.api['token-calls'].caller[':id'].history.$get({ param: { id: callerId } })),
  });

/** All there is to one call; asked again while it is active: it may end, and its caller may tell more of it. */
export const callQuery = (id: string) =>
  queryOptions({
    queryKey: ['token-calls', 'one', id],
    queryFn: (): Promise<CallDetail> =>
      read(client.api['token-calls'][':id'].$get({ param: { id: encodeURIComponent(id) } })),
    refetchInterval: ({ state }) => (state.data?.isActive ? POLL_MS.activeCalls : false),
  });

/** What its token cost since a call was made; while it is active there is more of it every few minutes. */
export const callChartQuery = ({ id, isActive }: { id: string; isActive: boolean }) =>
  queryOptions({
    queryKey: ['token-calls', 'one', id, 'chart'],
    queryFn: (): Promise<CallChart> =>
      read(client.api['token-calls'][':id'].chart.$get({ param: { id: encodeURIComponent(id) } })),
    refetchInterval: isActive ? CLOSE_INTERVAL_MS : false,
  });
