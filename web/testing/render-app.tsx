import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { createQueryClient } from '#web/api/query-client.ts';
import { createAppRouter } from '#web/router.ts';

/** Renders the whole app at a path. Retries have no delay unless `hasRetryDelays`. */
export function renderApp(path: string, { hasRetryDelays = false } = {}) {
  const queryClient = createQueryClient();
  const defaults = queryClient.getDefaultOptions();
  const queries = { ...defaults.queries, ...(!hasRetryDelays && { retryDelay: 0 }) };
  queryClient.setDefaultOptions({ ...defaults, queries });
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [path] }));
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { queryClient, router };
}
