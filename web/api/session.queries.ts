import { mutationOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { USER_KEPT_MS, USER_STALE_MS } from '#schema/constants.ts';
import type { ProfileBody, CurrentUser } from '#schema/contracts/users.ts';
import { client, read, readUnlessSignedOut } from './client.ts';

/** Use it as the `href` of a link, because logging out is a full page load. */
export const LOG_OUT_PATH = '/api/logout';

/** Null if the visitor is signed out. */
export const currentUserQuery = queryOptions({
  queryKey: ['auth', 'user'],
  queryFn: (): Promise<CurrentUser | null> => readUnlessSignedOut(client.api.auth.user.$get()),
  staleTime: USER_STALE_MS,
  gcTime: USER_KEPT_MS,
  retry: false,
});

export const updateBioMutation = (queryClient: QueryClient) =>
  mutationOptions({
    mutationFn: (body: ProfileBody) => read(client.api.user.profile.$patch({ json: body })),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
        queryClient.invalidateQueries({ queryKey: ['callers', 'profile'] }),
      ]),
  });
