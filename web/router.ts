import type { QueryClient } from '@tanstack/react-query';
import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { PageFailed } from './features/layout/page-failed.tsx';
import { routeTree } from './route-tree.gen.ts';

export type AppRouter = ReturnType<typeof createAppRouter>;

/**
 * The router caches no data, because all data is in the query client.
 * @param history replaces the browser's history on the server and in tests
 */
export function createAppRouter(
  queryClient: QueryClient,
  history?: RouterHistory,
  isServer = typeof window === 'undefined',
) {
  return createRouter({
    routeTree,
    context: { queryClient },
    ...(history ? { history } : {}),
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: PageFailed,
    isServer,
    // The server would render an inline script for it, which the Content-Security-Policy forbids.
    scrollRestoration: isServer ? false : createScrollRule(),
  });
}

/** Parses a query string. If a name occurs twice, the last value wins. */
function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** Formats a query string with its '?'. Omits undefined and empty values. */
function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== '') params.set(name, String(value));
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** Lets the router set the scroll position, except on the first page if the user has scrolled before the app started. */
function createScrollRule(): () => boolean {
  let isFirst = true;
  return () => {
    const leavesScroll = isFirst && window.scrollY > 0;
    isFirst = false;
    return !leavesScroll;
  };
}

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}
