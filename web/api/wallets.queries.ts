import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { TRANSACTIONS_LIMIT } from '#schema/constants/money.ts';
import { POLL_MS } from '#schema/constants/web.ts';
import { client, read } from './client.ts';
import { pollUnlessLive } from './live-state.ts';
import { currentUserQuery } from './session.queries.ts';
import { refetch } from './refetch.ts';

/** The user's wallets, polled every five seconds. Use the query in the caller view only. */
export const walletsQuery = queryOptions({
  queryKey: ['user', 'wallets'],
  queryFn: () => read(client.api.user.wallets.$get()),
  refetchInterval: () => pollUnlessLive(POLL_MS.wallets),
});

/** The latest payout changes, newest first. Polled, because another session may make one. */
export const payoutChangesQuery = queryOptions({
  queryKey: ['user', 'payout-changes'],
  queryFn: () => read(client.api.user['payout-changes'].$get()),
  staleTime: 0,
  refetchInterval: () => pollUnlessLive(POLL_MS.payoutChanges),
});

/** Recent buys of the proven wallets, newest first. Enable it only if the user has a proven wallet. */
export const walletTransactionsQuery = queryOptions({
  queryKey: ['wallet', 'transactions'],
  queryFn: () =>
    read(client.api.wallet.transactions.$get({ query: { limit: String(TRANSACTIONS_LIMIT), type: 'buy' } })),
  refetchInterval: POLL_MS.transactions,
});

/** Balances of the proven wallets. Enable it only if the user has a proven wallet. */
export const walletBalancesQuery = queryOptions({
  queryKey: ['wallet', 'balances'],
  queryFn: () => read(client.api.wallet.balances.$get()),
  refetchInterval: POLL_MS.balances,
});

/** The first proven wallet becomes the payout wallet. This also changes the account and the directory. */
const walletsChanged = refetch(
  walletsQuery.queryKey,
  payoutChangesQuery.queryKey,
  currentUserQuery.queryKey,
  ['callers'],
  ['wallet'],
);

export const requestWalletChallenge = (walletAddress: string) =>
  read(client.api.user.wallets.challenge.$post({ json: { walletAddress } }));

export const saveWalletMutation = mutationOptions({
  mutationFn: (body: {
    readonly walletAddress: string;
    readonly signature: string;
    readonly signedMessage: string;
  }) => read(client.api.user.wallets.$post({ json: body })),
  onSuccess: walletsChanged,
});

/** Removes a wallet. After removing the payout wallet, the caller has none. */
export const removeWalletMutation = mutationOptions({
  mutationFn: (id: string) => read(client.api.user.wallets[':id'].$delete({ param: { id } })),
  onSuccess: walletsChanged,
});
