import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { caller, dashboardApi, savedWallet, subscriber } from '#web/testing/dashboard-samples.ts';
import { refuse, type FakeRoutes } from '#web/testing/fake-api.ts';
import { findAndClick, findHref, findSection, sectionTitles } from '#web/testing/find-in-page.ts';
import { openApp } from '#web/testing/render-app.tsx';

const USER = 'GET /api/auth/user';
const WALLETS = 'GET /api/user/wallets';
const paid = { ...caller, monthlyFee: '1.5' };

const open = (path: string, routes: FakeRoutes = {}) => openApp(path, { ...dashboardApi, ...routes });

it.each([
  ['sign-ins', 'Sign-ins and API Keys', subscriber, 'Ways Into Your Account, API Keys'],
  ['notifications', 'Notifications', subscriber, 'Telegram Notifications, Notifications on This Device'],
  [
    'notifications',
    'Notifications',
    caller,
    'Telegram Notifications, Notifications on This Device, Telegram Channel and Group, Telegram Delivery',
  ],
  ['wallets', 'Wallets', subscriber, 'Your Wallet'],
  ['wallets', 'Wallets', caller, 'Payout Wallet'],
  ['webhook', 'Webhook', subscriber, 'Webhook'],
  ['data', 'Your Data', subscriber, 'Your Data'],
])('the settings at /settings/%s show the section “%s”', async (section, label, user, cards) => {
  open(`/settings/${section}`, { [USER]: user });
  const current = await screen.findByRole('link', { name: label });
  expect(current.getAttribute('aria-current')).toBe('page');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(`Settings: ${label}`);
  expect(sectionTitles()).toBe(cards);
  expect(document.title).toBe(`${label} · SolCallers`);
});

it('the avatar’s menu opens the settings at the sign-ins, and so does /settings', async () => {
  const { address } = open('/settings');
  await screen.findByText(': Sign-ins and API Keys');
  expect(address()).toBe('/settings/sign-ins');
  await findAndClick('Your account');
  expect((await screen.findByRole('link', { name: 'Settings' })).getAttribute('href')).toBe(address());
});

it('an unknown section of the settings is not found, and signed-out visitors get to the directory', async () => {
  open('/settings/nonsense');
  await screen.findAllByText('Page Not Found');
  cleanup();
  const { address } = open('/settings/wallets', { [USER]: null, 'GET /api/callers': [] });
  await screen.findByText('No Callers Found');
  expect(address()).toBe('/');
});

// Specification 2.35
it.each([false, true])(
  'the wallet settings ask a Paid caller to connect a payout wallet unless there is one (has a payout wallet: %s)',
  async (hasWallet) => {
    open('/settings/wallets', { [USER]: paid, [WALLETS]: hasWallet ? [savedWallet] : [] });
    const card = within(await findSection('Payout Wallet'));
    await card.findByText(hasWallet ? 'Payout' : /nobody can subscribe to you yet/);
    if (hasWallet) expect(card.queryByText(/nobody can subscribe to you yet/)).toBeNull();
    fireEvent.click(card.getByRole('button', { name: /^Connect/ }));
    await screen.findByRole('dialog', { name: 'Connect Wallet' }, { timeout: 5_000 });
  },
);

it('signing in again from the settings returns to the payout wallet', async () => {
  const wallets = [{ ...savedWallet, isPayout: false }];
  open('/settings/wallets', {
    [WALLETS]: wallets,
    'PATCH /api/user/caller-profile': () =>
      refuse(403, 'auth.fresh_sign_in_needed', 'To change your payout wallet, sign in again.'),
  });
  await findAndClick('Use for payouts');
  const returnTo = '/settings/wallets#payout-wallet';
  const signIn = `/api/auth/twitter?returnTo=${encodeURIComponent(returnTo)}`;
  expect(await findHref('Sign in again')).toBe(signIn);
  cleanup();

  open(returnTo, { [WALLETS]: wallets });
  const title = await screen.findByRole('heading', { level: 2, name: 'Payout Wallet' });
  expect(document.querySelector('#payout-wallet')?.contains(title)).toBe(true);
});
