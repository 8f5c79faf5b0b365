import { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory, type AnyRoute } from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import type { RenderPage, RenderRequest } from '#worker/ports/page-renderer.ts';
import { fillQueries, parseFirstPage, type FirstPage } from './api/first-page.ts';
import { App } from './app.tsx';
import { LazyAfterFirstScreen, LazyConnectionNotice } from './features/layout/lazy-after-first-screen.ts';
import { findFirstResponses, type OpenedPage } from './first-responses.ts';
import { createAppRouter, type AppRouter } from './router.ts';
import { setRenderedAt } from './ui/figures/use-now.ts';

/** The worker imports this function as `#page-renderer`. It's the only code of web that the worker runs. */
export const renderPage: RenderPage = async (request) => {
  const queryClient = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } },
  });
  try {
    return await renderWith(queryClient, request);
  } finally {
    // Otherwise the timers that remove unused queries would run for up to 15 minutes.
    queryClient.clear();
  }
};

async function renderWith(
  queryClient: QueryClient,
  { href, now, responses }: RenderRequest,
): ReturnType<RenderPage> {
  const router = openRouter(queryClient, href);
  const [path = '', query] = href.split('?', 2);
  const known = router.latestLocation.searchStr;
  if (known !== (query === undefined ? '' : `?${query}`)) return { redirectTo: `${path}${known}` };
  const found = await findFirstResponses(openedPage(router), responses);
  const data = toScriptJson({ renderedAt: now, responses: found } satisfies FirstPage);
  // Read from the JSON, so that server and browser render the same values.
  fillQueries(queryClient, parseFirstPage(data));
  await Promise.all([router.load(), LazyAfterFirstScreen.preload?.(), LazyConnectionNotice.preload?.()]);
  if (router.state.matches.some(({ status }) => status !== 'success')) {
    throw new Error('The router could not load the page.');
  }
  // No await from here on: all renders of this worker share the render time.
  setRenderedAt(now);
  return { html: renderToString(<App queryClient={queryClient} router={router} />), data };
}

/** A router at the page's canonical address, because at another one it would only redirect. */
function openRouter(queryClient: QueryClient, href: string): AppRouter {
  const openAt = (entry: string) => {
    const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [entry] }), true);
    router.updateLatestLocation();
    return router;
  };
  const router = openAt(href);
  const { pathname, publicHref } = router.latestLocation;
  const canonical = router.buildLocation({
    to: pathname,
    search: hasSearch(router) ? true : {},
    params: true,
    _includeValidateSearch: true,
  }).publicHref;
  return canonical === publicHref ? router : openAt(canonical);
}

function hasSearch(router: AppRouter): boolean {
  const routes = new Map<string, AnyRoute>(Object.entries(router.routesById));
  return routes.get(openedPage(router).routeId)?.options.validateSearch !== undefined;
}

function openedPage(router: AppRouter): OpenedPage {
  const match = router.matchRoutes(router.latestLocation).at(-1);
  return {
    routeId: match?.routeId ?? '',
    params: match?.params ?? {},
    search: match?.search ?? {},
  };
}

/** JSON that can neither end its script element nor begin a comment in it. */
function toScriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
