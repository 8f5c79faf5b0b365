import type { QueryClient } from '@tanstack/react-query';

/** What every route's loader is given. */
export interface RouterContext {
  readonly queryClient: QueryClient;
}
