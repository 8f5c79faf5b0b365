import { queryOptions } from '@tanstack/react-query';
import { POLL_MS } from '#schema/constants/web.ts';
import { client, read } from './client.ts';

export const pausesQuery = queryOptions({
  queryKey: ['pauses'],
  queryFn: () => read(client.api.pauses.$get()),
  refetchInterval: POLL_MS.pauses,
});
