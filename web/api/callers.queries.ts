import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { DIRECTORY_RETRIES, MINUTE_MS } from '#schema/constants.ts';
import type {
  CallerListItem,
  CallerProfile,
  CallerSort,
  CallerStatistics,
} from '#schema/contracts/callers.ts';
import { client, read, send } from './client.ts';
import { cursorPaging, cursorParam, readNextCursor } from './pages.ts';

/** Query parameters of the directory. An absent parameter means the default. */
export interface CallersFilter {
  readonly search?: string;
  readonly sort?: CallerSort;
  readonly order?: 'asc' | 'desc';
  /** In SOL, one decimal. */
  readonly maxFee?: string;
  readonly verified?: 'true';
  readonly paid?: 'true';
}

export interface CallersPage {
  readonly callers: readonly CallerListItem[];
  readonly nextCursor: string | null;
}

/** Shows the earlier results while those of a new filter load. */
export const callersQuery = (filter: CallersFilter) =>
  infiniteQueryOptions({
    queryKey: ['callers', 'list', filter],
    queryFn: async ({ pageParam }): Promise<CallersPage> => {
      const query = { ...filter, ...cursorParam(pageParam) };
      const response = await send(client.api.callers.$get({ query }));
      return { callers: await response.json(), nextCursor: readNextCursor(response.headers) };
    },
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

/** Polled every minute while the caller has open calls. Invalidating the profile also invalidates these. */
export const callerStatisticsQuery = (callerId: string) =>
  queryOptions({
    queryKey: ['callers', 'profile', callerId, 'statistics'],
    queryFn: (): Promise<CallerStatistics> =>
      read(client.api.callers[':usernameOrId'].statistics.$get({ param: { usernameOrId: callerId } })),
    refetchInterval: ({ state }) => (state.data?.openCalls?.count ? MINUTE_MS : false),
  });
