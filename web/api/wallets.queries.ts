import { mutationOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { POLL_MS } from '#schema/constants.ts';
import type { SavedWallet, WalletChallenge } from '#schema/contracts/wallets.ts';
import { client, read } from './client.ts';
import { currentUserQuery } from './session.queries.ts';

/** The signed-in user's saved wallets. Use it in the caller view only: it asks every five seconds. */
export const walletsQuery = queryOptions({
  queryKey: ['user', 'wallets'],
  queryFn: (): Promise<readonly SavedWallet[]> => read(client.api.user.wallets.$get()),
  refetchInterval: POLL_MS.wallets,
});

/** What the wallet has to sign to prove that it is the user's. */
export function requestWalletChallenge(walletAddress: string): Promise<WalletChallenge> {
  return read(client.api.user.wallets.challenge.$post({ json: { walletAddress } }));
}

/** Saves a wallet with the proof that it is the user's; signature and signed message are base64. */
export const saveWalletMutation = (queryClient: QueryClient) =>
  mutationOptions({
    mutationFn: (body: { readonly walletAddress: string; readonly signature: string; readonly signedMessage: string }): Promise<SavedWallet> =>
      read(client.api.user.wallets.$post({ json: body })),
    onSuccess: () => payoutChanged(queryClient),
  });

/** Removes a saved wallet. A caller who was paid to it has no payout wallet any more. */
export const removeWalletMutation = (queryClient: QueryClient) =>
  mutationOptions({
    mutationFn: (id: string) => read(client.api.user.wallets[':id'].$delete({ param: { id } })),
    onSuccess: () => payoutChanged(queryClient),
  });

/** The first proven wallet becomes the payout wallet, and with it the caller can be subscribed to. */
function payoutChanged(queryClient: QueryClient) {
  return Promise.all(
    [walletsQuery.queryKey, currentUserQuery.queryKey, ['callers']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  );
}
