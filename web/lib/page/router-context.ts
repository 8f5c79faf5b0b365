import type { QueryClient } from '@tanstack/react-query';

export interface RouterContext {
  readonly queryClient: QueryClient;
}
