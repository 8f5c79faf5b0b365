import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { DIRECTORY_RETRIES, MINUTE_MS } from '#schema/constants.ts';
import type {
  CallerListItem,
  CallerProfile,
  CallerSort,
  CallerStatistics,
} from '#schema/contracts/callers.ts';
import { client, read, send } from './client.ts';
import { readNextCursor } from './pages.ts';

/** What the directory is asked for. Values are what the API takes; what is absent has its default. */
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

/** The directory, page by page. While a new filter loads, what was found before stays. */
export const callersQuery = (filter: CallersFilter) =>
  infiniteQueryOptions({
    queryKey: ['callers', 'list', filter],
    queryFn: async ({ pageParam }): Promise<CallersPage> => {
      const cursor = pageParam === null ? {} : { cursor: pageParam };
      const response = await send(client.api.callers.$get({ query: { ...filter, ...cursor } }));
      return { callers: await response.json(), nextCursor: readNextCursor(response.headers) };
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    retry: DIRECTORY_RETRIES,
    placeholderData: keepPreviousData,
  });

/** A caller's profile with what the viewer may do there. */
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
 * What a caller's calls come to; open ones where the viewer may see them, and then anew each minute, as the stored prices are.
 * Part of the profile: what makes that old makes this old.
 */
export const callerStatisticsQuery = (callerId: string) =>
  queryOptions({
    queryKey: ['callers', 'profile', callerId, 'statistics'],
    queryFn: (): Promise<CallerStatistics> =>
      read(client.api.callers[':usernameOrId'].statistics.$get({ param: { usernameOrId: callerId } })),
    refetchInterval: ({ state }) => (state.data?.openCalls?.count ? MINUTE_MS : false),
  });
