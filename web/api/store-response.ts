import type { DataTag, QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Shows a change's answer. A fetch that is under way may have read the data before the change, so it is cancelled. Otherwise
 * its older response would replace the newer one.
 */
export async function storeResponse<Value>(
  queryClient: QueryClient,
  { queryKey }: { readonly queryKey: DataTag<QueryKey, Value, Error> },
  response: NoInfer<Value>,
): Promise<void> {
  await queryClient.cancelQueries({ queryKey, exact: true });
  queryClient.setQueryData(queryKey, response);
}
