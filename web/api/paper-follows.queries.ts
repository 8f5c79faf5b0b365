import { queryOptions } from '@tanstack/react-query';
import { client, read } from './client.ts';

export const paperFollowsQuery = queryOptions({
  queryKey: ['paper-follows'],
  queryFn: () => read(client.api['paper-follows'].$get()),
});
