import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import { DOCUMENT_VERSIONS } from '#schema/constants/people.ts';
import type { DeletionBody } from '#schema/contracts/account.ts';
import type {
  BecomeCallerBody,
  CallerProfileBody,
  CurrentUser,
  ProfileBody,
} from '#schema/contracts/users.ts';
import { client, read } from './client.ts';
import { refetch } from './refetch.ts';
import { currentUserQuery } from './session.queries.ts';
import { storeResponse } from './store-response.ts';

export const acceptTermsMutation = mutationOptions({
  mutationFn: () => read(client.api.user.acceptances.$post({ json: DOCUMENT_VERSIONS })),
  onSuccess: (user, _variables, _result, context) => storeResponse(context.client, currentUserQuery, user),
});

/** Deletes the signed-in user's account, which ends all sessions, or asks for its deletion on a later day. */
export const deleteAccountMutation = mutationOptions({
  mutationFn: (body: DeletionBody) => read(client.api.user.deletion.$post({ json: body })),
});

export const keepAccountMutation = mutationOptions({
  mutationFn: () => read(client.api.user.deletion.$delete()),
  onSuccess: (user, _variables, _result, context) => accountChanged(context.client, user),
});

/** Makes the user a caller. An empty price means Free. */
export const becomeCallerMutation = mutationOptions({
  mutationFn: (body: BecomeCallerBody) => read(client.api.user['become-caller'].$post({ json: body })),
  onSuccess: (user, _body, _result, context) => accountChanged(context.client, user),
});

export const updateCallerProfileMutation = mutationOptions({
  mutationFn: (body: CallerProfileBody) => read(client.api.user['caller-profile'].$patch({ json: body })),
  onSuccess: (user, _body, _result, context) => accountChanged(context.client, user),
});

export const updateBioMutation = mutationOptions({
  mutationFn: (body: ProfileBody) => read(client.api.user.profile.$patch({ json: body })),
  onSuccess: refetch(currentUserQuery.queryKey, ['callers', 'profile']),
});

/** The response contains the changed account, so it isn't refetched. */
async function accountChanged(queryClient: QueryClient, user: CurrentUser) {
  await storeResponse(queryClient, currentUserQuery, user);
  return queryClient.invalidateQueries({ queryKey: ['callers'] });
}
