import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { createQueryClient } from '#web/api/query-client.ts';
import { createAppRouter } from '#web/router.ts';
import { signedOut, stubApi, type FakeRoutes } from '#web/testing/fake-api.ts';
import { createImpatientQueryClient } from '#web/testing/impatient-query-client.ts';

/**
 * Renders the whole app at a path with these responses, for a signed-out visitor unless they contain a user.
 * Retries have no delay unless `hasRetryDelays`.
 */
export function openApp(path: string, routes: FakeRoutes = {}, { hasRetryDelays = false } = {}) {
  const calls = stubApi({ 'GET /api/auth/user': signedOut, ...routes });
  const queryClient = hasRetryDelays ? createQueryClient() : createImpatientQueryClient();
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [path] }));
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { calls, queryClient, router, address: () => router.history.location.href };
}
