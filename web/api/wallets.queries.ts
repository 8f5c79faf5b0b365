import { mutationOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { POLL_MS, TRANSACTIONS_LIMIT } from '#schema/constants.ts';
import type {
  PayoutChange,
  SavedWallet,
  WalletBalance,
  WalletChallenge,
  WalletTransaction,
} from '#schema/contracts/wallets.ts';
import { client, read } from './client.ts';
import { currentUserQuery } from './session.queries.ts';

/** The signed-in user's saved wallets. Use it in the caller view only: it asks every five seconds. */
export const walletsQuery = queryOptions({
  queryKey: ['user', 'wallets'],
  queryFn: (): Promise<readonly SavedWallet[]> => read(client.api.user.wallets.$get()),
  refetchInterval: POLL_MS.wallets,
});

/** The latest changes of where the signed-in caller is paid, newest first. Somebody else may make one at any time. */
export const payoutChangesQuery = queryOptions({
  queryKey: ['user', 'payout-changes'],
  queryFn: (): Promise<readonly PayoutChange[]> => read(client.api.user['payout-changes'].$get()),
  staleTime: 0,
  refetchInterval: POLL_MS.payoutChanges,
});

/** What the signed-in user's proven wallets bought lately, newest first. Without one there is nothing to ask. */
export const walletTransactionsQuery = queryOptions({
  queryKey: ['wallet', 'transactions'],
  queryFn: (): Promise<readonly WalletTransaction[]> =>
    read(client.api.wallet.transactions.$get({ query: { limit: String(TRANSACTIONS_LIMIT), type: 'buy' } })),
  refetchInterval: POLL_MS.transactions,
});

/** What the signed-in user's proven wallets hold. Without one there is nothing to ask. */
export const walletBalancesQuery = queryOptions({
  queryKey: ['wallet', 'balances'],
  queryFn: (): Promise<readonly WalletBalance[]> => read(client.api.wallet.balances.$get()),
  refetchInterval: POLL_MS.balances,
});

/** What the wallet has to sign to prove that it is the user's. */
export function requestWalletChallenge(walletAddress: string): Promise<WalletChallenge> {
  return read(client.api.user.wallets.challenge.$post({ json: { walletAddress } }));
}

/** Saves a wallet with the proof that it is the user's; signature and signed message are base64. */
export const saveWalletMutation = (queryClient: QueryClient) =>
  mutationOptions({
    mutationFn: (body: {
      readonly walletAddress: string;
      readonly signature: string;
      readonly signedMessage: string;
    }): Promise<SavedWallet> => read(client.api.user.wallets.$post({ json: body })),
    onSuccess: () => walletsChanged(queryClient),
  });

/** Removes a saved wallet. A caller who was paid to it has no payout wallet any more. */
export const removeWalletMutation = (queryClient: QueryClient) =>
  mutationOptions({
    mutationFn: (id: string) => read(client.api.user.wallets[':id'].$delete({ param: { id } })),
    onSuccess: () => walletsChanged(queryClient),
  });

/** The first proven wallet becomes the payout wallet, and with it the caller can be subscribed to; buys and balances are theirs. */
function walletsChanged(queryClient: QueryClient) {
  return Promise.all(
    [
      walletsQuery.queryKey,
      payoutChangesQuery.queryKey,
      currentUserQuery.queryKey,
      ['callers'],
      ['wallet'],
    ].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  );
}
