import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { refuse, stubApi } from '#web/testing/fake-api.ts';
import { expectToast, renderScreen } from '#web/testing/render-screen.tsx';
import { BONK, caller, WIF } from './dashboard-test-data.ts';
import { PayoutWalletCard } from './payout-wallet-card.tsx';

const REMOVE = 'DELETE /api/user/wallets/w2';
const saved = { id: 'w2', walletAddress: WIF, isProven: true, isPayout: false, createdAt: '' };

function show(api: Record<string, unknown>) {
  const calls = stubApi({ 'GET /api/auth/user': caller, 'GET /api/user/wallets': [{ ...saved, id: 'w1', walletAddress: BONK, isPayout: true }, saved], ...api });
  renderScreen(<PayoutWalletCard user={caller} onConnectWallet={() => {}} />);
  return { routes: () => calls.map(({ route }) => route) };
}

const remove = async () => fireEvent.click((await screen.findAllByRole('button', { name: 'Remove' }))[1] as Element);

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('wallets that did not load', () => {
  const failed = { 'GET /api/user/wallets': () => refuse(502, 'chain.unavailable', 'Nobody answers.') };

  it('are said to have failed, and nobody is told that they have none', async () => {
    stubApi(failed);
    renderScreen(<PayoutWalletCard user={{ ...caller, monthlyFee: '0.5', walletAddress: BONK }} onConnectWallet={() => {}} />);
    expect(await screen.findByText('Failed to load your wallets')).toBeTruthy();
    expect(screen.queryByText(/You charge a fee but have no wallet/)).toBeNull();
    expect(screen.queryByText(/You are free/)).toBeNull();
  });

  it('leave the warning that the account itself gives', async () => {
    stubApi(failed);
    renderScreen(<PayoutWalletCard user={{ ...caller, monthlyFee: '0.5', walletAddress: null }} onConnectWallet={() => {}} />);
    expect(await screen.findByText(/You charge a fee but have no wallet/)).toBeTruthy();
  });
});

describe('removing a wallet', () => {
  it('says that it is removed', async () => {
    const { routes } = show({ [REMOVE]: {} });
    await remove();
    await expectToast('Wallet Removed');
    expect(routes()).toContain(REMOVE);
  });

  it.each([
    ['the server’s reason', () => refuse(500, 'server.failed', 'Our fault.'), 'Our fault.'],
    ['its own words', () => new Response('', { status: 500 }), 'Failed to remove wallet'],
  ])('says %s when it fails', async (_what, answer, words) => {
    show({ [REMOVE]: answer });
    await remove();
    await expectToast('Error', words);
  });

  it.each(['Unauthorized', 'Please check your authentication.'])('says nothing of an error that mentions %s', async (message) => {
    const { routes } = show({ [REMOVE]: () => refuse(401, 'auth.required', message) });
    await remove();
    await waitFor(() => expect(routes()).toContain(REMOVE));
    // The button is free again: the answer has come, and it was not worth a word.
    await waitFor(() => expect((screen.getAllByRole('button', { name: 'Remove' })[1] as HTMLElement).getAttribute('aria-busy')).not.toBe('true'));
    expect(screen.queryByText('Error')).toBeNull();
  });
});
