import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import type { BecomeCallerBody, CallerProfileBody, CurrentUser } from '#schema/contracts/users.ts';
import { client, read } from './client.ts';
import { currentUserQuery } from './session.queries.ts';

/** An empty price means Free. */
export const becomeCallerMutation = (queryClient: QueryClient) =>
  mutationOptions({
    mutationFn: (body: BecomeCallerBody): Promise<CurrentUser> =>
      read(client.api.user['become-caller'].$post({ json: body })),
    onSuccess: (user) => accountChanged(queryClient, user),
  });

/** Changes the monthly fee (null means Free), the payout wallet or both. */
export const updateCallerProfileMutation = (queryClient: QueryClient) =>
  mutationOptions({
    mutationFn: (body: CallerProfileBody): Promise<CurrentUser> =>
      read(client.api.user['caller-profile'].$patch({ json: withoutUndefined(body) })),
    onSuccess: (user) => accountChanged(queryClient, user),
  });

/** The response contains the changed account, so it isn't refetched. */
function accountChanged(queryClient: QueryClient, user: CurrentUser) {
  queryClient.setQueryData(currentUserQuery.queryKey, user);
  return queryClient.invalidateQueries({ queryKey: ['callers'] });
}

function withoutUndefined({ monthlyFee, walletAddress }: CallerProfileBody) {
  return {
    ...(monthlyFee !== undefined && { monthlyFee }),
    ...(walletAddress !== undefined && { walletAddress }),
  };
}
