import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { DIRECTORY_RETRIES, MINUTE_MS } from '#schema/constants.ts';
import type {
  CallerListItem,
  CallerProfile,
  CallersQuery,
  CallerStatistics,
} from '#schema/contracts/callers.ts';
import { client, read } from './client.ts';
import { cursorPaging, cursorParam, readPage, type Page } from './pages.ts';

/** Query parameters of the directory. An absent parameter means the default. */
export type CallersFilter = Readonly<Partial<Omit<CallersQuery, 'limit' | 'cursor'>>>;

/** Shows the earlier results while those of a new filter load. */
export const callersQuery = (filter: CallersFilter) =>
  infiniteQueryOptions({
    queryKey: ['callers', 'list', filter],
    queryFn: ({ pageParam }): Promise<Page<CallerListItem>> =>
      readPage(client.api.callers.$get({ query: { ...filter, ...cursorParam(pageParam) } })),
    ...cursorPaging,
    retry: DIRECTORY_RETRIES,
    placeholderData: keepPreviousData,
  });

export const callerQuery = (usernameOrId: string) =>
  queryOptions({
    queryKey: ['callers', 'profile', usernameOrId],
    queryFn: (): Promise<CallerProfile> =>
      read(
        client.api.callers[':usernameOrId'].$get({
          param: { usernameOrId: encodeURIComponent(usernameOrId) },
        }),
      ),
  });

/**
 * Polled every minute while the caller has open calls. Invalidating the profile query also invalidates this
 * one.
 */
export const callerStatisticsQuery = (callerId: string) =>
  queryOptions({
    queryKey: ['callers', 'profile', callerId, 'statistics'],
    queryFn: (): Promise<CallerStatistics> =>
      read(client.api.callers[':usernameOrId'].statistics.$get({ param: { usernameOrId: callerId } })),
    refetchInterval: ({ state }) => (state.data?.openCalls?.count ? MINUTE_MS : false),
  });
