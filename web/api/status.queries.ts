import { queryOptions } from '@tanstack/react-query';
import { POLL_MS } from '#schema/constants/web.ts';
import { client, read } from './client.ts';

export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: () => read(client.api.status.$get()),
  refetchInterval: POLL_MS.status,
});
