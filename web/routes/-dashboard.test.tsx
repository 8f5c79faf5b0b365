import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import {
  BONK,
  caller,
  dashboardApi,
  expired,
  subscriber,
} from '#web/features/dashboard/dashboard-test-data.ts';
import { refuse, type FakeRoutes } from '#web/testing/fake-api.ts';
import { findAndClick, findSection } from '#web/testing/find-in-page.ts';
import { openApp } from '#web/testing/render-app.tsx';

const running = { ...expired, isActive: true, isCurrentlyActive: true, endDate: '2099-06-15T12:00:00.000Z' };
const connected = { ...caller, telegramHandle: 'ada_tele', telegramConnected: true };

const open = (path: string, routes: FakeRoutes = {}) => openApp(path, { ...dashboardApi, ...routes });

// Finds the heading by its text. In accessible names, jsdom puts a space after a <bdi>.
const heading = (text: string) =>
  screen.findByText((_, element) => element?.tagName === 'H1' && element.textContent === text);

it('changing the dashboard view adds no history entry, and the URL leaves out the default view', async () => {
  const { router, address } = open('/dashboard');
  await heading('Caller Dashboard');
  fireEvent.click(screen.getByRole('radio', { name: 'Subscriber' }));
  await heading('Welcome, Ada!');
  expect(address()).toBe('/dashboard?view=subscriber');
  expect(router.history.length).toBe(1);
  fireEvent.click(screen.getByRole('radio', { name: 'Caller' }));
  await heading('Caller Dashboard');
  expect(address()).toBe('/dashboard');
});

// Specification 2.8
it.each([
  ['/dashboard?view=subscriber', 'Welcome, Ada!'],
  ['/dashboard?view=caller', 'Caller Dashboard'],
  ['/dashboard?view=nonsense', 'Caller Dashboard'],
])('the dashboard at %s has the heading "%s"', async (path, title) => {
  open(path);
  await heading(title);
});

it('the dashboard preserves the view in the URL next to the token parameter', async () => {
  const { address } = open('/dashboard?token=abc', {
    'GET /api/tokens/abc': new Response('', { status: 404 }),
  });
  await heading('Caller Dashboard');
  fireEvent.click(screen.getByRole('radio', { name: 'Subscriber' }));
  await heading('Welcome, Ada!');
  expect(address()).toBe('/dashboard?token=abc&view=subscriber');
});

describe('the dashboard', () => {
  // Specification 2.36
  it('the dashboard opens the Become a Caller dialog for subscribers', async () => {
    open('/dashboard', { 'GET /api/auth/user': subscriber });
    await findAndClick('Apply');
    expect(await screen.findByRole('dialog', { name: 'Become a Caller' })).toBeTruthy();
  });

  // Specification 2.35
  it('the dashboard opens the Connect Wallet dialog for callers', async () => {
    open('/dashboard');
    await findAndClick('Connect Wallet');
    expect(await screen.findByRole('dialog', { name: 'Connect Wallet' }, { timeout: 5_000 })).toBeTruthy();
  });

  // Specification 4.26
  it('the dashboard shows the caller view after the user has become a caller', async () => {
    open('/dashboard', {
      'GET /api/auth/user': subscriber,
      'POST /api/user/become-caller': { ...subscriber, isCaller: true },
    });
    await findAndClick('Apply');
    fireEvent.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Become a Caller' }),
    );
    await heading('Caller Dashboard');
  });
});

// Specification 2.80
it('the dashboard has a Telegram card with the signed-in user’s handle', async () => {
  open('/dashboard?view=subscriber', {
    'GET /api/auth/user': connected,
  });
  const card = within(await findSection('Telegram Notifications'));
  for (const text of ['Connected', '@ada_tele']) card.getByText(text);
});

it('the dashboard’s mute button mutes a followed caller and updates the Telegram card', async () => {
  open('/dashboard?view=subscriber', {
    'GET /api/auth/user': connected,
    'GET /api/subscriptions/my': [running],
    'PUT /api/user/notifications/mutes/caller-2': () => new Promise(() => undefined),
  });
  const muteButton = await screen.findByRole('button', { name: 'Mute Grace Hopper on Telegram' });
  expect(muteButton.getAttribute('aria-pressed')).toBe('false');
  fireEvent.click(muteButton);
  expect(await screen.findByRole('button', { name: 'Unmute Grace Hopper' })).toBeTruthy();
  expect(muteButton.getAttribute('aria-pressed')).toBe('true');
});

it('the dashboard has no mute button before the user connects Telegram', async () => {
  open('/dashboard?view=subscriber', {
    'GET /api/auth/user': { ...caller, telegramHandle: 'ada_tele' },
    'GET /api/subscriptions/my': [running],
  });
  await screen.findByRole('list', { name: 'Your Subscriptions' });
  expect(screen.queryByRole('button', { name: /on Telegram$/ })).toBeNull();
});

it.each([
  ['access ended', expired, /^Your access ended on Jan 3[01], 2026\. The fee is 0\.5 SOL for 30 days/],
  [
    'the current access ends',
    running,
    /^You have access until Jun 15, 2099\. The new period starts after that\. The fee is 0\.5 SOL for 30 days/,
  ],
])('renewing from the dashboard opens a dialog that says when %s', async (_what, subscription, text) => {
  open('/dashboard?view=subscriber', { 'GET /api/subscriptions/my': [subscription] });
  await findAndClick('Renew Grace Hopper');
  const dialog = await screen.findByRole('dialog', { name: 'Subscribe to Grace Hopper' }, { timeout: 5_000 });
  await within(dialog).findByText(text);
});

it('signing in again from the dashboard returns to the payout wallet in the same view', async () => {
  const wallet = { id: 'w1', walletAddress: BONK, isProven: true, isPayout: false, createdAt: '' };
  open('/dashboard?view=caller', {
    'GET /api/user/wallets': [wallet],
    'PATCH /api/user/caller-profile': () =>
      refuse(403, 'auth.fresh_sign_in_needed', 'To change your payout wallet, sign in again.'),
  });
  await findAndClick('Use for payouts');
  const link = await screen.findByRole('link', { name: 'Sign in again' });
  const returnTo = new URL(link.getAttribute('href') ?? '', 'https://self.invalid').searchParams.get(
    'returnTo',
  );
  expect(returnTo).toBe('/dashboard?view=caller#payout-wallet');
  cleanup();

  open(returnTo ?? '', { 'GET /api/user/wallets': [wallet] });
  const title = await screen.findByRole('heading', { level: 2, name: 'Payout Wallet' });
  expect(document.querySelector('#payout-wallet')?.contains(title)).toBe(true);
});
