import type { QueryClient } from '@tanstack/react-query';
import { createQueryClient } from '#web/api/query-client.ts';

/** The app's query client, whose retries have no delay. */
export function createImpatientQueryClient(): QueryClient {
  const queryClient = createQueryClient();
  const defaults = queryClient.getDefaultOptions();
  queryClient.setDefaultOptions({ ...defaults, queries: { ...defaults.queries, retryDelay: 0 } });
  return queryClient;
}
