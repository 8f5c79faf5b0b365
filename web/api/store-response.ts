import type { DataTag, QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Stores the response to a change in the cache. Cancels a running fetch, because its response may be from
 * before the change and would replace the newer one.
 */
export async function storeResponse<Value>(
  queryClient: QueryClient,
  { queryKey }: { readonly queryKey: DataTag<QueryKey, Value, Error> },
  response: NoInfer<Value>,
): Promise<void> {
  await queryClient.cancelQueries({ queryKey, exact: true });
  queryClient.setQueryData(queryKey, response);
}
