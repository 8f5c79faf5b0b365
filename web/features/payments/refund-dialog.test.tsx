import { Keypair } from '@solana/web3.js';
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeAccount, fakeSigningWallet, fakeStandardWallet } from '#web/lib/wallets/wallet-test-doubles.ts';
import { refuse, type FakeRoutes } from '#web/testing/fake-api.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { receipt } from '#web/testing/samples.ts';
import { RefundDialog } from './refund-dialog.tsx';

const payout = Keypair.generate();
const payment = { ...receipt, callerAddress: payout.publicKey.toBase58() };
const opened = {
  blockhash: Keypair.generate().publicKey.toBase58(),
  refund: {
    reference: Keypair.generate().publicKey.toBase58(),
    fromAddress: payment.callerAddress,
    toAddress: payment.payerAddress,
    lamports: '450000001',
  },
  computeBudget: { computeUnitLimit: 60_000, microLamports: '1' },
};
const api: FakeRoutes = {
  'GET /api/auth/user': { id: 'user-1' },
  'POST /api/solana/open-refund': opened,
  'POST /api/solana/send-refund': { result: 'sent' },
  'POST /api/solana/search-refund': { signature: 'sent' },
};

/** Opens the dialog and connects a wallet. */
async function open(keypair: Keypair, routes: FakeRoutes = {}, wallet = fakeSigningWallet(keypair)) {
  const { routes: requested } = renderScreen(
    <RefundDialog receipt={payment} open onOpenChange={() => {}} />,
    {
      api: { ...api, ...routes },
      wallets: [wallet],
    },
  );
  fireEvent.click(await screen.findByRole('button', { name: /Local Wallet/ }));
  return () => requested().filter((route) => route.includes('refund'));
}

const refund = async () =>
  fireEvent.click(await screen.findByRole('button', { name: 'Refund 0.450000001 SOL' }));

it('the refund dialog opens, signs, sends and finds a refund', async () => {
  const requests = await open(payout);
  screen.getByText("You pay your share back. The commission of 0.0500 SOL isn't returned.");
  await refund();
  await screen.findByText('Refunded. The receipt shows the transaction.');
  expect(screen.queryByText(/The paid period ends as soon as/)).toBeNull();
  expect(requests()).toEqual(['open', 'send', 'search'].map((step) => `POST /api/solana/${step}-refund`));
});

it('the refund dialog says that an earlier partial refund isn’t deducted', async () => {
  const { signature, explorerUrl, paidAt } = payment;
  const refunds = [{ amount: '0.1', signature, explorerUrl, paidAt }];
  renderScreen(<RefundDialog receipt={{ ...payment, refunds }} open onOpenChange={() => {}} />, { api });
  await screen.findByText(/What you have refunded so far isn't deducted\./);
});

it('the refund dialog refuses a wallet that did not receive the payment', async () => {
  const requests = await open(Keypair.generate());
  await screen.findByText(/This wallet isn't the one that was paid/);
  expect(screen.queryByRole('button', { name: /^Refund/ })).toBeNull();
  expect(requests()).toEqual([]);
});

it('a refund that the user declines in the wallet isn’t sent and can be tried again', async () => {
  const sign = () => Promise.reject(Object.assign(new Error('User rejected'), { code: 4001 }));
  const requests = await open(payout, {}, fakeSigningWallet(payout, sign));
  await refund();
  await screen.findByText('You declined the refund in your wallet. Nothing was sent.');
  expect(requests()).toEqual(['POST /api/solana/open-refund']);
  await refund();
});

it('the server learns that a wallet sends a refund itself, which is searched for although the wallet reports an error', async () => {
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
  await screen.findByText('Refunded. The receipt shows the transaction.');
  expect(openings).toEqual([{ signature: payment.signature, sendsItself: true }]);
  expect(requests()).toEqual(['open', 'search'].map((step) => `POST /api/solana/${step}-refund`));
});

it('a refund that the server rejects isn’t shown as declined in the wallet', async () => {
  await open(payout, {
    'POST /api/solana/send-refund': () => refuse(422, 'payments.rejected_by_chain', 'Solana rejected it.'),
  });
  await refund();
  await screen.findByText('Solana rejected it.');
});

it('the refund dialog searches for a refund if the server doesn’t respond to its sending', async () => {
  const lost = () => {
    throw new TypeError('Failed to fetch');
  };
  await open(payout, { 'POST /api/solana/send-refund': lost });
  await refund();
  await screen.findByText('Refunded. The receipt shows the transaction.');
});

it('a refund whose amount differs from the receipt’s is never sent', async () => {
  const requests = await open(payout, {
    'POST /api/solana/open-refund': { ...opened, refund: { ...opened.refund, lamports: '450000002' } },
  });
  await refund();
  await screen.findByRole('alert');
  expect(requests()).toEqual(['POST /api/solana/open-refund']);
});

it('the refund dialog shows that the search for a refund failed, and can check again', async () => {
  let isDown = true;
  await open(payout, {
    'POST /api/solana/search-refund': () =>
      isDown ? refuse(503, 'chain.unavailable', 'Solana does not respond.') : { signature: 'sent' },
  });
  await refund();
  await screen.findByRole('alert');
  isDown = false;
  fireEvent.click(screen.getByRole('button', { name: 'Check again' }));
  await screen.findByText('Refunded. The receipt shows the transaction.');
});
