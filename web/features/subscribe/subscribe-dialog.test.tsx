import { Keypair, Transaction } from '@solana/web3.js';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeAccount, fakeStandardWallet } from '#web/lib/wallets/wallet-test-doubles.ts';
import { type FakeRoutes, refuse, stubApi } from '#web/testing/fake-api.ts';
import { expectToast, renderScreen } from '#web/testing/render-screen.tsx';
import { intentAnswer, landed, SIGNATURE } from './payment-test-doubles.ts';
import type { SubscribeCaller } from './subscribe-caller.ts';
import { SubscribeDialog } from './subscribe-dialog.tsx';

const TITLE = 'Subscribe to Ada Byron';
const payer = Keypair.generate();
const paid: SubscribeCaller = { id: 'caller-1', firstName: 'Ada', lastName: 'Byron', twitterHandle: 'ada', profileImageUrl: null, isVerified: true, monthlyFee: '1', canBeSubscribed: true };
const free: SubscribeCaller = { ...paid, monthlyFee: null };
const subscription = { id: 's1', callerId: paid.id, endDate: '2026-12-21T10:00:00.000Z', isCurrentlyActive: true, amountPaid: '1', payment: null };

const goodApi: FakeRoutes = {
  'GET /api/auth/user': { id: 'user-1' },
  'POST /api/solana/get-latest-blockhash': intentAnswer,
  'POST /api/solana/send-transaction': { result: SIGNATURE },
  'POST /api/solana/confirm-transaction': landed,
  'POST /api/subscriptions': subscription,
  'POST /api/subscriptions/free': { ...subscription, endDate: null, amountPaid: '0' },
};

/** A wallet that really signs, or does what the test says. */
function signingWallet(sign?: () => Promise<never>) {
  return fakeStandardWallet({
    name: 'Local Wallet',
    accounts: [fakeAccount(payer.publicKey.toBase58(), ['solana:localnet'])],
    features: {
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signTransaction: async ({ transaction }: { transaction: Uint8Array }) => {
          await sign?.();
          const signed = Transaction.from(transaction);
          signed.partialSign(payer);
          return [{ signedTransaction: new Uint8Array(signed.serialize()) }];
        },
      },
    },
  }).wallet;
}

function open(caller: SubscribeCaller, api: FakeRoutes = {}, wallet = signingWallet()) {
  const calls = stubApi({ ...goodApi, ...api });
  const onSubscribed = vi.fn();
  const dialog = (isOpen: boolean) => <SubscribeDialog caller={caller} open={isOpen} onOpenChange={() => {}} onSubscribed={onSubscribed} />;
  const { rerender } = renderScreen(dialog(true), { wallets: [wallet] });
  return { calls, onSubscribed, show: (isOpen: boolean) => rerender(dialog(isOpen)), routes: () => calls.map(({ route }) => route) };
}

const click = async (name: RegExp | string) => fireEvent.click(await screen.findByRole('button', { name }));
const connect = () => click(/^Local Wallet/);

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('subscribing to a Free caller', () => {
  it('goes from connect to complete without a wallet', async () => {
    const { routes, onSubscribed } = open(free);
    await click('Subscribe for free');
    await screen.findByText('You are subscribed to Ada Byron.');
    await expectToast('Free Subscription Activated!');
    expect(onSubscribed).toHaveBeenCalledOnce();
    expect(routes().filter((route) => route.includes('solana'))).toEqual([]);
  });

  it('returns to connect when it fails', async () => {
    open(free, { 'POST /api/subscriptions/free': () => { throw new TypeError('offline'); } });
    await click('Subscribe for free');
    await expectToast('Subscription Failed', 'Failed to create free subscription.');
    expect(screen.getByRole('button', { name: 'Subscribe for free' })).toBeDefined();
  });
});

describe('subscribing to a Paid caller', () => {
  it('shows exactly what will be paid before anything is signed', async () => {
    const { routes } = open(paid);
    await connect();
    await screen.findByRole('button', { name: 'Pay 1.0000 SOL' });
    const { intent } = intentAnswer();
    for (const text of ['0.9000 SOL', '90%', intent.callerAddress, '0.1000 SOL', '10%', intent.platformAddress, '1.0000 SOL', /^30 days/, /0\.000005 SOL/]) {
      expect(screen.getByText(text)).toBeDefined();
    }
    expect(routes()).not.toContain('POST /api/solana/send-transaction');
  });

  it('pays, claims and ends with a receipt', async () => {
    const { calls, onSubscribed } = open(paid);
    await connect();
    await click('Pay 1.0000 SOL');
    await screen.findByText('Receipt');
    await expectToast('Subscription Successful!');
    expect(onSubscribed).toHaveBeenCalledWith(subscription);
    const sent = calls.find(({ route }) => route === 'POST /api/solana/send-transaction')?.body as { transaction: string };
    const transaction = Transaction.from(Uint8Array.from(atob(sent.transaction), (character) => character.charCodeAt(0)));
    expect(transaction.verifySignatures()).toBe(true);
    expect(transaction.feePayer?.equals(payer.publicKey)).toBe(true);
    const claim = calls.find(({ route }) => route === 'POST /api/subscriptions')?.body;
    expect(claim).toMatchObject({ callerId: 'caller-1', monthlyFee: '1', platformFee: '0.1', totalAmount: '1' });
    expect(screen.getByText((claim as { transactionId: string }).transactionId)).toBeDefined();
  });

  it('names the running step in a live region', async () => {
    let sign = () => {};
    open(paid, {}, signingWallet(() => new Promise((resolve) => (sign = resolve as () => void))));
    await connect();
    await click('Pay 1.0000 SOL');
    await waitFor(() => expect(screen.getByText(/Step 2 of 5: Sign in Local Wallet/).closest('[aria-live="polite"]')).not.toBeNull());
    expect(screen.getByText(/Once you have signed, closing this tab is safe/)).toBeDefined();
    sign();
    await screen.findByText('Receipt');
  });

  it('returns to confirm when the person declines, and can pay after that', async () => {
    const decline = vi.fn(async () => { throw Object.assign(new Error('User rejected the request.'), { code: 4001 }); });
    const { routes } = open(paid, {}, signingWallet(() => (decline.mock.calls.length === 0 ? decline() : (Promise.resolve() as Promise<never>))));
    await connect();
    await click('Pay 1.0000 SOL');
    await expectToast('Payment failed', 'You declined in your wallet. Nothing was paid.');
    expect(routes()).not.toContain('POST /api/solana/send-transaction');
    await click('Pay 1.0000 SOL');
    await screen.findByText('Receipt');
  });

  it('stays at connect when the wallet does not connect', async () => {
    const { wallet } = fakeStandardWallet({ name: 'Local Wallet', accounts: [] });
    open(paid, {}, wallet);
    await connect();
    await expectToast('Connection failed', 'Failed to connect to wallet. Please try again.');
    expect(screen.getByRole('list', { name: 'Wallets' })).toBeDefined();
  });

  it('says why the payment cannot be prepared', async () => {
    open(paid, { 'POST /api/solana/get-latest-blockhash': () => refuse(422, 'payments.amount_under_rent', 'This payment cannot land.') });
    await connect();
    expect((await within(await screen.findByRole('dialog', { name: TITLE })).findByRole('alert')).textContent).toBe('This payment cannot land.');
    expect(screen.getByRole('button', { name: 'Prepare the payment again' })).toBeDefined();
  });

  it('says when the fee is not the one of the page any more', async () => {
    open(paid, { 'POST /api/solana/get-latest-blockhash': () => intentAnswer({ total: 2_000_000_000n }) });
    await connect();
    await screen.findByRole('button', { name: 'Pay 2.0000 SOL' });
    expect(screen.getByText(/The fee changed since you opened this page/)).toBeDefined();
  });

  it('goes on with the same signature after a lost answer, even when it was closed in between', async () => {
    let isLost = true;
    const { show, calls } = open(paid, {
      'POST /api/solana/send-transaction': () => {
        if (isLost) throw new TypeError('Failed to fetch');
        return { result: SIGNATURE };
      },
    });
    await connect();
    await click('Pay 1.0000 SOL');
    await screen.findByRole('button', { name: 'Check this payment again' });
    show(false);
    await waitFor(() => expect(screen.queryByRole('dialog', { name: TITLE })).toBeNull());
    show(true);
    isLost = false;
    await click('Finish this payment');
    await screen.findByText('Receipt');
    const sent = calls.filter(({ route }) => route === 'POST /api/solana/send-transaction').map(({ body }) => (body as { transaction: string }).transaction);
    expect(new Set(sent).size).toBe(1);
    expect(calls.filter(({ route }) => route === 'POST /api/solana/get-latest-blockhash')).toHaveLength(1);
  });

  it('begins at connect each time it opens', async () => {
    const { show } = open(paid);
    await connect();
    await screen.findByRole('button', { name: 'Pay 1.0000 SOL' });
    show(false);
    await waitFor(() => expect(screen.queryByRole('dialog', { name: TITLE })).toBeNull());
    show(true);
    await screen.findByRole('button', { name: 'Continue with this wallet' });
    expect(screen.queryByRole('button', { name: 'Pay 1.0000 SOL' })).toBeNull();
  });

  it('offers nothing to pay where the caller has no payout wallet', async () => {
    open({ ...paid, canBeSubscribed: false });
    await screen.findByText(/has not connected a wallet to be paid to/);
    expect(screen.queryByRole('list', { name: 'Wallets' })).toBeNull();
  });
});

describe('somebody who is not signed in', () => {
  it('is asked to sign in', async () => {
    open(paid, { 'GET /api/auth/user': () => refuse(401, 'auth.required', 'Unauthorized') });
    const link = await screen.findByRole('link', { name: 'Sign in with Twitter' });
    expect(link.getAttribute('href')).toBe('/api/auth/twitter');
  });
});
