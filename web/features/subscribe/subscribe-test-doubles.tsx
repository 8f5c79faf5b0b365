import { Keypair } from '@solana/web3.js';
import { type Mock, vi } from 'vitest';
import { fakeAccount, fakeSigningWallet, fakeStandardWallet } from '#web/lib/wallets/wallet-test-doubles.ts';
import type { FakeRoutes } from '#web/testing/fake-api.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { ada, adaProfile } from '#web/testing/samples.ts';
import { intentResponse, landed, replies, SIGNATURE, subscription } from './payment/payment-test-doubles.ts';
import type { SubscribeCaller } from './subscribe-caller.ts';
import { SubscribeDialog } from './subscribe-dialog.tsx';

export const TITLE = 'Subscribe to Ada Byron';
export const payer = Keypair.generate();
export const paid: SubscribeCaller = { ...ada, monthlyFee: '1', canBeSubscribed: true };
export const free: SubscribeCaller = { ...paid, monthlyFee: null };

export const route = {
  intent: 'POST /api/solana/get-latest-blockhash',
  periods: `GET /api/subscriptions/caller/${paid.id}`,
  send: 'POST /api/solana/send-transaction',
  confirm: 'POST /api/solana/confirm-transaction',
  search: 'POST /api/solana/search-payment',
} as const;

export const goodApi: FakeRoutes = {
  'GET /api/auth/user': { id: 'user-1' },
  [`GET /api/callers/${paid.id}`]: adaProfile,
  [route.intent]: () => intentResponse(),
  [route.periods]: [],
  [route.send]: { result: SIGNATURE },
  [route.confirm]: landed,
  [route.search]: subscription,
  'POST /api/subscriptions/free': { ...subscription, endDate: null, payment: null },
};

/** Like `replies`, but calls the functions in the list. */
export function inOrder(...list: readonly unknown[]) {
  const next = replies(...list);
  return async (): Promise<unknown> => {
    const value = await next();
    return typeof value === 'function' ? (value as () => unknown)() : value;
  };
}

/** A wallet that creates a real signature after `sign` has resolved. */
export const signingWallet = (sign?: () => Promise<unknown>) => fakeSigningWallet(payer, sign);

/** A wallet that can't sign without sending. `send` returns the wallet's outputs. */
export function sendingWallet(send: () => Promise<readonly object[]>) {
  const address = payer.publicKey.toBase58();
  const feature = 'solana:signAndSendTransaction';
  const { wallet } = fakeStandardWallet({
    name: 'Local Wallet',
    accounts: [{ ...fakeAccount(address, ['solana:localnet']), features: [feature] }],
  });
  const { 'standard:connect': connect } = wallet.features;
  return {
    ...wallet,
    features: { 'standard:connect': connect, [feature]: { version: '1.0.0', signAndSendTransaction: send } },
  } as typeof wallet;
}

/** Opens the dialog for this caller. By default, the whole API succeeds; `api` overrides single routes. */
export function openDialog(caller: SubscribeCaller, api: FakeRoutes = {}, wallet = signingWallet()) {
  const { [route.periods]: periods, ...others } = { ...goodApi, ...api };
  const onOpenChange: Mock = vi.fn();
  const dialog = (isOpen: boolean) => (
    <SubscribeDialog caller={caller} open={isOpen} onOpenChange={onOpenChange} />
  );
  const shown = renderScreen(dialog(true), {
    api: { ...others, [`GET /api/subscriptions/caller/${caller.id}`]: periods },
    wallets: [wallet],
  });
  return {
    ...shown,
    onOpenChange,
    show: (isOpen: boolean) => shown.rerender(dialog(isOpen)),
    count: (name: string) => shown.bodies(name).length,
  };
}
