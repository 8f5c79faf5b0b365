import { queryOptions } from '@tanstack/react-query';
import { client, read } from './client.ts';

/** The callers whom the user follows on paper, newest first. */
export const paperFollowsQuery = queryOptions({
  queryKey: ['paper-follows'],
  queryFn: () => read(client.api['paper-follows'].$get()),
});
