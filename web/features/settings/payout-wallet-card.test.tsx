import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { failures, refuse } from '#web/testing/fake-api.ts';
import { findAndClick, findItems, textsOf } from '#web/testing/find-in-page.ts';
import { expectToast, renderScreen } from '#web/testing/render-screen.tsx';
import { BONK, caller, savedWallet, WIF } from '#web/testing/dashboard-samples.ts';
import { PayoutWalletCard } from './payout-wallet-card.tsx';

const REMOVE = 'DELETE /api/user/wallets/w2';

function show(api: Record<string, unknown>, user = caller) {
  const responses = {
    'GET /api/auth/user': caller,
    'GET /api/user/wallets': [savedWallet, { ...savedWallet, id: 'w2', walletAddress: WIF, isPayout: false }],
    'GET /api/user/payout-changes': [],
    ...api,
  };
  return renderScreen(<PayoutWalletCard user={user} />, { api: responses });
}

const removeButton = async (at = 1) =>
  (await screen.findAllByRole('button', { name: 'Remove' }))[at] as HTMLElement;
const remove = async (at = 1) => fireEvent.click(await removeButton(at));

it.each([
  ['without a warning if the account has a payout wallet', BONK, false],
  ['with a warning if the account has no payout wallet', null, true],
])(
  'the payout wallet card shows that the wallets failed to load, %s',
  async (_what, walletAddress, isWarned) => {
    const failing = () => refuse(502, 'chain.unavailable', 'Nobody answers.');
    show({ 'GET /api/user/wallets': failing }, { ...caller, monthlyFee: '0.5', walletAddress });
    await screen.findByText('Failed to load your wallets');
    expect(screen.queryByText(/You charge a fee but have no payout wallet/) !== null).toBe(isWarned);
    expect(screen.queryByText(/Your calls are free/)).toBeNull();
  },
);

it('the payout wallet card shows each wallet’s SOL with four decimals', async () => {
  const balance = (walletAddress: string, sol: string) => ({ walletAddress, sol, lamports: '', tokens: [] });
  show({ 'GET /api/wallet/balances': [balance(WIF, '0.5'), balance(BONK, '12.345678999')] });
  const shown = async () =>
    textsOf(await findItems('Saved wallets')).map((text) => /[\d.]+ SOL/.exec(text)?.[0]);
  await waitFor(async () => expect(await shown()).toEqual(['12.3456 SOL', '0.5000 SOL']));
});

it('the payout wallet card requests no balances without a proven wallet', async () => {
  const unproven = { ...savedWallet, isProven: false, isPayout: false };
  const { routes } = show({ 'GET /api/user/wallets': [unproven] });
  await screen.findByText('Unverified');
  expect(routes()).not.toContain('GET /api/wallet/balances');
});

// Specification 8.42
it('removing the payout wallet shows a toast', async () => {
  const { routes } = show({ [REMOVE]: {} });
  await remove();
  await expectToast('Wallet Removed');
  expect(routes()).toContain(REMOVE);
});

// Specification 8.31
it.each(failures('server.failed', 'Failed to remove wallet'))(
  'removing the payout wallet shows %s when it fails',
  async (_what, response, words) => {
    show({ [REMOVE]: response });
    await remove();
    await expectToast('Error', words);
  },
);

// Specification 8.32
it.each(['Unauthorized', 'Please check your authentication.'])(
  'removing the payout wallet shows no toast for an error that mentions %s',
  async (message) => {
    const { routes } = show({ [REMOVE]: () => refuse(401, 'auth.required', message) });
    await remove();
    await waitFor(() => expect(routes()).toContain(REMOVE));
    // The button is idle again, so the response has arrived.
    await waitFor(async () => expect((await removeButton()).getAttribute('aria-busy')).not.toBe('true'));
    expect(screen.queryByText('Error')).toBeNull();
  },
);

describe('changing the payout wallet', () => {
  const CHOOSE = 'PATCH /api/user/caller-profile';
  const tooOld = () => refuse(403, 'auth.fresh_sign_in_needed', 'Your sign-in is older than 15 minutes.');
  const signInDialog = async () => within(await screen.findByRole('dialog', { name: 'Sign in again' }));
  const signInUrl = '/api/auth/twitter?returnTo=%2F%23payout-wallet';

  it('removing the payout wallet after an old sign-in replaces the confirmation by a focused sign-in link', async () => {
    const { routes } = show({ 'DELETE /api/user/wallets/w1': tooOld }, { ...caller, monthlyFee: '1.5' });
    await remove(0);
    const confirmation = within(await screen.findByRole('dialog', { name: 'Remove your payout wallet?' }));
    confirmation.getByText(/Nobody can subscribe or renew/);
    fireEvent.click(confirmation.getByRole('button', { name: 'Remove wallet' }));
    const link = (await signInDialog()).getByRole('link', { name: 'Sign in again' });
    expect(link.getAttribute('href')).toBe(signInUrl);
    expect(document.activeElement).toBe(link);
    expect(screen.queryByRole('button', { name: 'Remove wallet' })).toBeNull();
    expect(routes().filter((route) => route.startsWith('DELETE'))).toHaveLength(1);
    expect(screen.queryByText('Error')).toBeNull();
  });

  it('the payout wallet stays the same when Not now closes the sign-in dialog', async () => {
    const { routes } = show({ [CHOOSE]: tooOld });
    await findAndClick('Use for payouts');
    fireEvent.click((await signInDialog()).getByRole('button', { name: 'Not now' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(routes().filter((route) => route === CHOOSE)).toHaveLength(1);
    await remove(0);
    expect(await screen.findByRole('dialog', { name: 'Remove your payout wallet?' })).toBeTruthy();
  });

  it('changing the payout wallet shows the server’s reason when another session has changed it', async () => {
    const reason = 'Your payout wallet was changed somewhere else at the same moment.';
    show({ [CHOOSE]: () => refuse(409, 'wallets.payout_changed', reason) });
    await findAndClick('Use for payouts');
    await expectToast('Error', reason);
  });
});
