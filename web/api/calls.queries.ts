import { queryOptions } from '@tanstack/react-query';
import { POLL_MS } from '#schema/constants.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { client, read } from './client.ts';

/** The newest ended calls of everyone. What is no list counts as an empty one. */
export const endedCallsQuery = queryOptions({
  queryKey: ['token-calls', 'ended'],
  queryFn: async (): Promise<readonly TokenCall[]> => {
    const calls: unknown = await read(client.api['token-calls'].ended.$get({ query: {} }));
    return Array.isArray(calls) ? (calls as TokenCall[]) : [];
  },
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
