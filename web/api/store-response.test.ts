import { QueryClient, queryOptions } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { storeResponse } from './store-response.ts';

it('a fetch that began before a change does not replace the response to the change', async () => {
  const queryClient = new QueryClient();
  const { promise, resolve } = Promise.withResolvers<string>();
  const query = queryOptions({ queryKey: ['settings'], queryFn: () => promise, retry: false });
  queryClient.setQueryData(query.queryKey, 'first');
  const fetching = queryClient.fetchQuery(query).catch(() => undefined);
  await storeResponse(queryClient, query, 'changed');
  resolve('older');
  await fetching;
  expect(queryClient.getQueryData(query.queryKey)).toBe('changed');
  expect(queryClient.getQueryState(query.queryKey)?.fetchStatus).toBe('idle');
});
