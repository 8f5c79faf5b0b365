import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import type { CreateCallBody, TokenCall } from '#schema/contracts/calls.ts';
import { client, read } from './client.ts';
import { deliveriesQuery } from './telegram.queries.ts';

/** Publishes a call. The server fetches the entry price; the body's is only what the caller saw. */
export const createCallMutation = (queryClient: QueryClient) =>
  mutationOptions({
    mutationFn: ({ logoURI, ...body }: CreateCallBody): Promise<TokenCall> =>
      read(
        client.api['token-calls'].$post({ json: { ...body, ...(logoURI != null && { logoURI }) } }),
      ) as Promise<TokenCall>,
    onSuccess: () => callsChanged(queryClient),
  });

/** Ends one of the signed-in caller's calls, for good, at the price that the server fetches now. */
export const endCallMutation = (queryClient: QueryClient) =>
  mutationOptions({
    mutationFn: (id: string): Promise<TokenCall> =>
      read(client.api['token-calls'][':id'].end.$patch({ param: { id } })) as Promise<TokenCall>,
    onSuccess: () => callsChanged(queryClient),
  });

/** Calls change the lists of calls and, once ended, the statistics of their caller; and followers are told of them. */
function callsChanged(queryClient: QueryClient) {
  return Promise.all(
    [['token-calls'], ['callers'], deliveriesQuery.queryKey].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );
}
