import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { MINUTE_MS } from '#schema/constants/time.ts';
import { POLL_MS } from '#schema/constants/web.ts';
import type { CallerProfile, CallersQuery } from '#schema/contracts/callers.ts';
import { client, read } from './client.ts';
import { pollUnlessLive } from './live-state.ts';
import { pagedQuery } from './pages.ts';
import { currentUserQuery, sessionEndedQuery } from './session.queries.ts';

const DIRECTORY_RETRIES = 3;

/** Query parameters of the directory. An absent parameter means the default. */
export type CallersFilter = Readonly<Partial<Omit<CallersQuery, 'limit' | 'cursor'>>>;

export const callersQuery = (filter: CallersFilter) =>
  pagedQuery(
    ['callers', 'list', filter],
    (query) => client.api.callers.$get({ query: { ...filter, ...query } }),
    { retry: DIRECTORY_RETRIES, placeholderData: keepPreviousData },
  );

/**
 * A caller's profile. The viewer's own profile is polled, because payments and new followers change its
 * figures. After the session has ended, the server treats the viewer as a visitor. This query preserves the
 * earlier viewer data until they sign in again.
 */
export const callerQuery = (usernameOrId: string) =>
  queryOptions({
    queryKey: ['callers', 'profile', usernameOrId],
    queryFn: async ({ client: queryClient, queryKey }) => {
      const caller = await read(
        client.api.callers[':usernameOrId'].$get({
          param: { usernameOrId: encodeURIComponent(usernameOrId) },
        }),
      );
      const known = queryClient.getQueryData<CallerProfile>(queryKey);
      if (known === undefined) return caller;
      const { viewer, earnings } = known;
      // The total and the list show a payment at the same time.
      if (earnings !== caller.earnings) {
        void queryClient.invalidateQueries({ queryKey: ['payments', 'earned'] });
      }
      // The viewer owned this profile before and doesn't own it now, so their session has ended or changed.
      if (viewer.isOwner && !caller.viewer.isOwner) {
        await queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 });
      }
      return queryClient.getQueryData(sessionEndedQuery.queryKey) ? { ...caller, viewer } : caller;
    },
    refetchInterval: ({ state }) => (state.data?.viewer.isOwner ? pollUnlessLive(POLL_MS.ownProfile) : false),
  });

/** A caller's ended ranked calls and fees for the calculator. They never change, so a page asks once. */
export const callerResultsQuery = (callerId: string) =>
  queryOptions({
    queryKey: ['callers', 'profile', callerId, 'results'],
    queryFn: () =>
      read(client.api.callers[':usernameOrId'].results.$get({ param: { usernameOrId: callerId } })),
  });

export const callerStatisticsQuery = (callerId: string) =>
  queryOptions({
    queryKey: ['callers', 'profile', callerId, 'statistics'],
    queryFn: () =>
      read(client.api.callers[':usernameOrId'].statistics.$get({ param: { usernameOrId: callerId } })),
    refetchInterval: ({ state }) => (state.data?.openCalls?.count ? MINUTE_MS : false),
  });
