import { Keypair } from '@solana/web3.js';
import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { fakeAccount, fakeSigningWallet, fakeStandardWallet } from '#web/lib/wallets/wallet-test-doubles.ts';
import type { Receipt } from '#schema/contracts/payments.ts';
import { refuse, type FakeRoutes } from '#web/testing/fake-api.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { receipt } from '#web/testing/samples.ts';
import { shownToast } from '#web/ui/overlays/toast-queue.ts';
import { RefundDialog } from './refund-dialog.tsx';

const payout = Keypair.generate();
const payment: Receipt = {
  ...receipt,
  callerAddress: payout.publicKey.toBase58(),
  refundRequest: { askedAt: '2026-11-13T12:00:00.000Z', canTakeBack: true },
  left: '0.450000001',
};
const opened = {
  blockhash: Keypair.generate().publicKey.toBase58(),
  refund: {
    reference: Keypair.generate().publicKey.toBase58(),
    toAddress: payment.payerAddress,
    lamports: '450000001',
    isAsked: true,
  },
  openedBefore: null,
  computeBudget: { computeUnitLimit: 60_000, microLamports: '1' },
};
const api: FakeRoutes = {
  'GET /api/auth/user': { id: 'user-1' },
  'POST /api/solana/open-refund': opened,
  'POST /api/solana/send-refund': { result: 'sent' },
};

let isOpen: boolean;
const expectSent = async () => {
  await vi.waitFor(() => expect(isOpen).toBe(false));
  expect(shownToast()?.title).toBe('Waiting for Solana');
};

/** Opens the dialog and connects a wallet. */
async function open(
  keypair: Keypair,
  routes: FakeRoutes = {},
  wallet = fakeSigningWallet(keypair),
  shown = payment,
) {
  isOpen = true;
  const close = () => {
    isOpen = false;
  };
  const { routes: requested } = renderScreen(<RefundDialog receipt={shown} open onOpenChange={close} />, {
    api: { ...api, ...routes },
    wallets: [wallet],
  });
  fireEvent.click(await screen.findByRole('button', { name: /Local Wallet/ }));
  return () => requested().filter((route) => route.includes('refund'));
}

const refund = async () =>
  fireEvent.click(await screen.findByRole('button', { name: 'Refund 0.450000001 SOL' }));

it('the refund dialog opens, signs and sends a refund', async () => {
  const requests = await open(payout);
  screen.getByText("We don't return the commission of 0.0500 SOL.");
  screen.getByText(/The subscriber asks for this refund. The paid period ends as soon as/);
  await refund();
  await expectSent();
  expect(requests()).toEqual(['open', 'send'].map((step) => `POST /api/solana/${step}-refund`));
});

it.each([
  ['what is owed', '0.2', '0.2000', /You owe this .* The subscriber's period goes on/],
  [
    'everything',
    null,
    '0.400000001',
    /so you pay the commission of 0\.0500 SOL back, too\. We don't return it to you/,
  ],
])('a refund that nobody asked for pays %s', async (_what, owed, amount, effect) => {
  const shown = { ...payment, refundRequest: null, paidBack: '0.1', left: '0.400000001', owed };
  const left = { ...opened, refund: { ...opened.refund, lamports: '400000001', isAsked: false } };
  await open(payout, { 'POST /api/solana/open-refund': left }, fakeSigningWallet(payout), shown);
  screen.getByText(effect);
  fireEvent.click(await screen.findByRole('button', { name: `Refund ${amount} SOL` }));
  await expectSent();
});

it('the refund dialog says that the wallet that paid may belong to somebody else', async () => {
  await open(payout);
  screen.getByText(/It may belong to somebody else: an exchange, or whoever gave the subscription/);
});

it('the refund dialog shows that the server refuses another wallet', async () => {
  const requests = await open(Keypair.generate(), {
    'POST /api/solana/open-refund': () => refuse(422, 'payments.not_your_wallet', 'Not your wallet.'),
  });
  await refund();
  await screen.findByText('Not your wallet.');
  expect(requests()).toEqual(['POST /api/solana/open-refund']);
});

it('a refund that another page has opened is only signed after a second press', async () => {
  const requests = await open(payout, {
    'POST /api/solana/open-refund': { ...opened, openedBefore: '2026-11-14T11:59:00.000Z' },
  });
  await refund();
  await screen.findByText(/^This refund was opened at .* finish there/);
  expect(requests()).toEqual(['POST /api/solana/open-refund']);
  await refund();
  await expectSent();
});

it('a refund isn’t signed if the subscriber has taken the request back meanwhile', async () => {
  const requests = await open(payout, {
    'POST /api/solana/open-refund': {
      ...opened,
      refund: { ...opened.refund, lamports: '500000001', isAsked: false },
    },
  });
  await refund();
  await screen.findByText(/has changed meanwhile. Nothing was sent/);
  expect(requests()).toEqual(['POST /api/solana/open-refund']);
});

it('a refund that the user declines in the wallet isn’t sent and can be tried again', async () => {
  const sign = () => Promise.reject(Object.assign(new Error('User rejected'), { code: 4001 }));
  const requests = await open(payout, {}, fakeSigningWallet(payout, sign));
  await refund();
  await screen.findByText('You declined the refund in your wallet. Nothing was sent.');
  expect(requests()).toEqual(['POST /api/solana/open-refund']);
  await refund();
});

it('the server learns that a wallet sends a refund itself, which may be sent although the wallet reports an error', async () => {
  const account = fakeAccount(payment.callerAddress, ['solana:localnet']);
  const { wallet } = fakeStandardWallet({
    name: 'Local Wallet',
    accounts: [{ ...account, features: ['solana:signAndSendTransaction'] }],
    features: {
      'solana:signTransaction': undefined,
      'solana:signAndSendTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signAndSendTransaction: () =>
          Promise.reject(new Error('Confirmation was cancelled after 30 seconds')),
      },
    },
  });
  const openings: unknown[] = [];
  const saveOpening = (body: unknown) => {
    openings.push(body);
    return opened;
  };
  const requests = await open(payout, { 'POST /api/solana/open-refund': saveOpening }, wallet);
  await refund();
  await expectSent();
  expect(openings).toEqual([
    { signature: payment.signature, fromAddress: payment.callerAddress, sendsItself: true },
  ]);
  expect(requests()).toEqual(['POST /api/solana/open-refund']);
});

it('a refund that the server rejects isn’t shown as declined in the wallet', async () => {
  await open(payout, {
    'POST /api/solana/send-refund': () => refuse(422, 'payments.rejected_by_chain', 'Solana rejected it.'),
  });
  await refund();
  await screen.findByText('Solana rejected it.');
});

it('a refund may be sent if the server doesn’t respond to its sending', async () => {
  const lost = () => {
    throw new TypeError('Failed to fetch');
  };
  await open(payout, { 'POST /api/solana/send-refund': lost });
  await refund();
  await expectSent();
});

it('a refund of which less is left than the page shows is never sent', async () => {
  const requests = await open(payout, {
    'POST /api/solana/open-refund': { ...opened, refund: { ...opened.refund, lamports: '450000000' } },
  });
  await refund();
  await screen.findByRole('alert');
  expect(requests()).toEqual(['POST /api/solana/open-refund']);
});
