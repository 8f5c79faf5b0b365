import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { POLL_MS } from '#schema/constants.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { client, read, send } from './client.ts';
import { readNextCursor } from './next-cursor.ts';

export interface EndedCallsPage {
  readonly calls: readonly TokenCall[];
  readonly nextCursor: string | null;
}

/** Ended calls of everyone, newest first, page by page; all pages that are open are renewed together. What is no list counts as an empty one. */
export const endedCallsQuery = infiniteQueryOptions({
  queryKey: ['token-calls', 'ended'],
  queryFn: async ({ pageParam }): Promise<EndedCallsPage> => {
    const response = await send(client.api['token-calls'].ended.$get({ query: pageParam === null ? {} : { cursor: pageParam } }));
    const calls: unknown = await response.json();
    return { calls: Array.isArray(calls) ? (calls as TokenCall[]) : [], nextCursor: readNextCursor(response.headers) };
  },
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
  refetchInterval: POLL_MS.endedCalls,
});

/** A caller's active calls. Ask only for whom the profile says so: others get a 403. */
export const activeCallsQuery = (callerId: string) =>
  queryOptions({
    queryKey: ['token-calls', 'caller', callerId, 'active'],
    queryFn: (): Promise<readonly TokenCall[]> => read(client.api['token-calls'].caller[':id'].active.$get({ param: { id: callerId } })),
    refetchInterval: POLL_MS.activeCalls,
  });

/** A caller's ended calls; active ones too where the viewer may see them. */
export const callerHistoryQuery = (callerId: string) =>
  queryOptions({
    queryKey: ['token-calls', 'caller', callerId, 'history'],
    queryFn: (): Promise<readonly TokenCall[]> => read(client.api['token-calls'].caller[':id'].history.$get({ param: { id: callerId } })),
  });
