import { QueryClient } from '@tanstack/react-query';

/** Data never goes stale by itself, nothing is refetched on focus and nothing is retried: queries that differ say so. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false, refetchOnReconnect: false, retry: false },
      mutations: { retry: false },
    },
  });
}
