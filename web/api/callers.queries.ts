import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { CALCULATOR_STAKE_USD } from '#schema/constants/market.ts';
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

/** The results of several callers since a day. */
export const resultsQuery = (callerIds: readonly string[], since: string) =>
  queryOptions({
    queryKey: ['callers', 'results', callerIds, since],
    queryFn: () => read(client.api.results.$get({ query: { callers: namesParam(callerIds), since } })),
    staleTime: MINUTE_MS,
    placeholderData: keepPreviousData,
  });

export interface ComparisonFilter {
  readonly callers: readonly string[];
  readonly amount: number;
  readonly since: string | undefined;
}

export const comparisonQuery = ({ callers, amount, since }: ComparisonFilter) =>
  queryOptions({
    queryKey: ['callers', 'comparison', callers, amount, since ?? null],
    queryFn: () => {
      const query = {
        ...(amount !== CALCULATOR_STAKE_USD && { amount: String(amount) }),
        callers: namesParam(callers),
        ...(since !== undefined && { since }),
      };
      return read(client.api.comparison.$get({ query }));
    },
    placeholderData: keepPreviousData,
  });

/** As the server's cache has it. Another notation is redirected. */
const namesParam = (names: readonly string[]) =>
  [...new Set(names.map((name) => name.toLowerCase()))].toSorted().join(',');

export const callerStatisticsQuery = (callerId: string) =>
  queryOptions({
    queryKey: ['callers', 'profile', callerId, 'statistics'],
    queryFn: () =>
      read(client.api.callers[':usernameOrId'].statistics.$get({ param: { usernameOrId: callerId } })),
    refetchInterval: ({ state }) => (state.data?.openCalls?.count ? MINUTE_MS : false),
  });
