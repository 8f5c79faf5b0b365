import type { QueryClient } from '@tanstack/react-query';
import { startTransition } from 'react';
import type { HydrationOptions, Root } from 'react-dom/client';
import { holdResponsesUntil } from './api/client.ts';
import { fillQueries, refetchAfterHydration, type FirstPage } from './api/first-page.ts';
import { currentUserQuery } from './api/session.queries.ts';
import { App } from './app.tsx';
import { repeatEarlyClicks } from './lib/browser/early-clicks.ts';
import { nextTask } from './lib/browser/next-task.ts';
import type { AppRouter } from './router.ts';
import { setRenderedAt } from './ui/figures/use-now.ts';

export interface HydrateRequest {
  readonly container: HTMLElement;
  readonly page: FirstPage;
  readonly queryClient: QueryClient;
  readonly router: AppRouter;
  readonly options?: HydrationOptions;
}

/** Takes over the server's HTML in several tasks, so that a slow phone can paint and handle input in between. */
export async function hydratePage(request: HydrateRequest): Promise<Root> {
  const { container, page, queryClient, router, options } = request;
  fillQueries(queryClient, page);
  setRenderedAt(page.renderedAt);
  // The router then leaves out the Suspense boundary around all pages, as on the server.
  router.ssr = { manifest: undefined };
  // React must find what the server rendered, so no query may change before the last section is hydrated.
  const hydrated = Promise.withResolvers<void>();
  holdResponsesUntil(hydrated.promise);
  void queryClient.prefetchQuery(currentUserQuery);
  await nextTask();
  await router.load();
  await nextTask();
  // The import is bundled into the same file, but evaluated only here (vite.config.ts).
  const { hydrateRoot } = await import('react-dom/client');
  await nextTask();
  const app = <App queryClient={queryClient} router={router} onHydrated={hydrated.resolve} />;
  let root!: Root;
  // React renders a transition in small tasks, so that input isn't blocked.
  startTransition(() => {
    root = hydrateRoot(container, app, options);
  });
  repeatEarlyClicks();
  refetchAfterHydration(queryClient, page);
  return root;
}
