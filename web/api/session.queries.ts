import { queryOptions } from '@tanstack/react-query';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { isConnectionFailure, isSignedOut } from './api-error.ts';
import { client, hydrated, read } from './client.ts';
import { clearSignedInFlag, hasSignedInFlag } from './signed-in-flag.ts';

const USER_STALE_MS = 10 * MINUTE_MS;
const USER_KEPT_MS = 15 * MINUTE_MS;

/** Path that logs the user out. Use it as the `href` of a link, because it needs a full page load. */
export const LOG_OUT_PATH = '/api/logout';

const USER_KEY = ['auth', 'user'] as const;

export const fetchUser = (): Promise<CurrentUser | null> =>
  read(client.api.auth.user.$get()).catch((error: unknown) => {
    if (isSignedOut(error)) return null;
    throw error;
  });

/** Asks only a browser that was signed in, because browsers log every 401 as an error. */
async function fetchFirstUser(): Promise<CurrentUser | null> {
  if (!hasSignedInFlag()) {
    await hydrated();
    return null;
  }
  const user = await fetchUser();
  if (user === null) clearSignedInFlag();
  return user;
}

/**
 * The signed-in user; null for a visitor. After the session has ended, it's still the page's last user. The
 * query never pauses, because pages and actions wait for it.
 */
export const currentUserQuery = queryOptions({
  queryKey: USER_KEY,
  queryFn: async ({ client: queryClient }) => {
    const shown = queryClient.getQueryData<CurrentUser | null>(USER_KEY);
    return shown ? ((await fetchUser()) ?? shown) : fetchFirstUser();
  },
  staleTime: USER_STALE_MS,
  gcTime: USER_KEPT_MS,
  networkMode: 'always',
  refetchOnReconnect: true,
  retry: (failures, error) => isConnectionFailure(error) && failures === 0,
});

/** True once the shown user's session has ended. The page stays and asks to sign in again. */
export const sessionEndedQuery = queryOptions({
  queryKey: ['auth', 'ended'],
  queryFn: () => false,
  enabled: false,
  initialData: false,
  gcTime: Number.POSITIVE_INFINITY,
});
