import { useState } from 'react';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { CallerSummary } from '#schema/contracts/callers.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { type FakeRoutes, refuse, stubApi } from '#web/testing/fake-api.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { DashboardPage, type DashboardPageProps, type DashboardView } from './dashboard-page.tsx';
import {
  activeCall,
  BONK,
  caller,
  dashboardApi,
  endedCall,
  expired,
  subscriber,
  WIF,
  wif,
} from './dashboard-test-data.ts';

/** Keeps the view in state, as the route keeps it in the URL. */
function DashboardWithView({ view: initial, onViewChange, ...props }: DashboardPageProps) {
  const [view, setView] = useState(initial);
  const change = (next: DashboardView | undefined) => {
    setView(next);
    onViewChange(next);
  };
  return <DashboardPage {...props} view={view} onViewChange={change} />;
}

function show({
  user,
  token,
  view,
  api = {},
}: {
  user: CurrentUser;
  token?: string;
  view?: DashboardView;
  api?: FakeRoutes;
}) {
  const calls = stubApi({ ...dashboardApi, [`GET /api/tokens/${WIF}`]: wif, ...api });
  const handlers = {
    onBecomeCaller: vi.fn(),
    onConnectWallet: vi.fn(),
    onSubscribe: vi.fn(),
    onUnfollow: vi.fn(),
    isUnfollowing: () => false,
    isPaying: () => false,
    payingIds: [],
    onViewChange: vi.fn(),
    renderShare: () => null,
    renderMute: ({ id }: CallerSummary) => <p>{`Mute ${id}`}</p>,
  };
  const page = (shown: CurrentUser) => (
    <DashboardWithView
      user={shown}
      token={token}
      view={view}
      notifications={<p>Notifications</p>}
      {...handlers}
    />
  );
  const { rerender } = renderScreen(page(user));
  return {
    ...handlers,
    routes: () => calls.map(({ route }) => route),
    changeUser: (next: CurrentUser) => rerender(page(next)),
  };
}

const heading = () => screen.getByRole('heading', { level: 1 }).textContent;
const region = async (title: string) =>
  (await screen.findByRole('heading', { level: 2, name: title })).closest('section') as HTMLElement;

describe('the dashboard', () => {
  // Specification 2.58-2.60, 6.9
  it.each([
    ['a subscriber', subscriber, 'Welcome, Ada!'],
    ['a user without a first name', { ...subscriber, firstName: '' }, 'Welcome, Trader!'],
    ['a caller', caller, 'Caller Dashboard'],
  ])('shows the default view and title to %s', (_who, user, title) => {
    show({ user });
    expect(heading()).toBe(title);
  });

  // Specification 2.61, 6.21
  it('shows the view switch to callers only', () => {
    show({ user: subscriber });
    expect(screen.queryByRole('radiogroup', { name: 'Dashboard view' })).toBeNull();
    cleanup();
    const { onViewChange } = show({ user: caller });
    fireEvent.click(screen.getByRole('radio', { name: 'Subscriber' }));
    expect(heading()).toBe('Welcome, Ada!');
    fireEvent.click(screen.getByRole('radio', { name: 'Caller' }));
    expect(heading()).toBe('Caller Dashboard');
    // Expects undefined, so that the URL omits the default.
    expect(onViewChange.mock.calls).toEqual([['subscriber'], [undefined]]);
  });

  // Specification 2.62-2.64
  it('opens the caller view with the URL’s token filled in and looked up', async () => {
    show({ user: caller, token: WIF });
    expect(heading()).toBe('Caller Dashboard');
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Find a token' }).value).toBe(WIF);
    expect(await screen.findByText('dogwifhat')).toBeDefined();
  });

  it('shows a call from another tab as soon as the server refuses a second call', async () => {
    // Stops the polls.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    let isMade = false;
    show({
      user: caller,
      token: WIF,
      api: {
        [`GET /api/token-calls/caller/${caller.id}/active`]: () =>
          isMade ? [{ ...activeCall, tokenMint: WIF, tokenSymbol: 'WIF' }] : [],
        'POST /api/token-calls': () => refuse(409, 'calls.already_called', 'Already Called: end it first.'),
      },
    });
    const makeCall = await screen.findByRole('button', { name: 'Make Call' });
    isMade = true;
    fireEvent.click(makeCall);
    expect(await screen.findByRole('button', { name: 'Already Called' })).toBeDefined();
    expect(screen.getByRole('button', { name: 'End WIF' })).toBeDefined();
  });

  // Specification 2.63
  it('ignores the URL’s token for a subscriber', () => {
    const { routes } = show({ user: subscriber, token: WIF });
    expect(heading()).toBe('Welcome, Ada!');
    expect(routes().filter((route) => route.includes('/api/tokens/'))).toEqual([]);
  });

  it('shows no caller view to a subscriber', () => {
    show({ user: subscriber, view: 'caller' });
    expect(heading()).toBe('Welcome, Ada!');
  });

  it('switches to the caller view when the user becomes a caller', () => {
    const { changeUser } = show({ user: subscriber });
    changeUser(caller);
    expect(heading()).toBe('Caller Dashboard');
  });

  it('requests the wallets and calls of the user only in the caller view', async () => {
    const { routes } = show({ user: caller, view: 'subscriber' });
    await screen.findByText('No subscriptions yet');
    expect(routes().filter((route) => route.includes('wallets') || route.includes('token-calls'))).toEqual(
      [],
    );
  });
});

describe('the subscriber view', () => {
  // Specification 2.80
  it('shows the notifications card, unlike the caller view', () => {
    show({ user: caller, view: 'subscriber' });
    expect(screen.getByText('Notifications')).toBeDefined();
    fireEvent.click(screen.getByRole('radio', { name: 'Caller' }));
    expect(screen.queryByText('Notifications')).toBeNull();
  });

  // Specification 2.77-2.79, 6.12
  it('lists followed calls with a Buy link', async () => {
    show({
      user: subscriber,
      api: {
        'GET /api/subscriptions/calls': [
          { ...activeCall, lastPrice: { price: '0.00003', at: '', source: 'jupiter' } },
          endedCall,
        ],
      },
    });
    const active = await screen.findByRole('list', { name: 'Active Calls' });
    const buy = within(active).getByRole('link', { name: 'Buy BONK' });
    expect([buy.getAttribute('href'), buy.getAttribute('target'), buy.getAttribute('rel')]).toEqual([
      `https://jup.ag/swap/SOL-${BONK}`,
      '_blank',
      'noopener noreferrer',
    ]);
    expect(await within(active).findByText('+50.0%')).toBeDefined();
    const ended = screen.getByRole('list', { name: 'Ended Calls' });
    expect(within(ended).getByText('+50.0%')).toBeDefined();
    expect(within(ended).getByRole('link', { name: 'Buy WIF' })).toBeDefined();
    expect(within(ended).getByRole('link', { name: 'Ada Byron' }).getAttribute('href')).toBe(
      '/caller/user-1',
    );
  });

  // Specification 2.76, 2.81
  it('titles its cards and lists the subscriptions', async () => {
    show({
      user: subscriber,
      api: {
        'GET /api/subscriptions/my': [
          { ...expired, isActive: true, isCurrentlyActive: true, endDate: '2099-06-15T12:00:00.000Z' },
        ],
      },
    });
    const list = await screen.findByRole('list', { name: 'Your Subscriptions' });
    expect(list.textContent).toMatch(/Grace Hopper.*Active.*until Jun 15, 2099.*0\.5 SOL/);
    const titles = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
    expect(titles).toEqual(
      expect.arrayContaining(['Active Calls', 'Ended Calls', 'Your Subscriptions', 'Become a Caller']),
    );
  });

  it('offers to subscribe again when an expired subscription is free now', async () => {
    const { onSubscribe } = show({
      user: subscriber,
      api: { 'GET /api/subscriptions/my': [{ ...expired, monthlyFee: null }] },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Subscribe to Grace Hopper' }));
    expect(onSubscribe).toHaveBeenCalledWith(
      expect.objectContaining({ id: expired.callerId, monthlyFee: null }),
    );
  });

  it.each([
    [
      'an active free subscription',
      { isCurrentlyActive: true, isActive: true, endDate: null, monthlyFee: null },
    ],
    [
      'an active subscription to a caller without a payout wallet',
      {
        isCurrentlyActive: true,
        isActive: true,
        canBeSubscribed: false,
        endDate: '2099-06-15T12:00:00.000Z',
      },
    ],
    [
      'paid time left with a caller who is Free now',
      { isCurrentlyActive: true, isActive: true, monthlyFee: null, endDate: '2099-06-15T12:00:00.000Z' },
    ],
  ])('shows no renew button for %s', async (_what, change) => {
    show({ user: subscriber, api: { 'GET /api/subscriptions/my': [{ ...expired, ...change }] } });
    await screen.findByText('Grace Hopper');
    expect(screen.queryByRole('button', { name: /Grace Hopper/ })).toBeNull();
  });

  it('shows the mute button for active subscriptions only', async () => {
    const running = {
      ...expired,
      id: 's2',
      callerId: 'caller-3',
      caller: { ...expired.caller, id: 'caller-3' },
      isActive: true,
      isCurrentlyActive: true,
      endDate: '2099-06-15T12:00:00.000Z',
    };
    show({ user: subscriber, api: { 'GET /api/subscriptions/my': [expired, running] } });
    await screen.findByRole('list', { name: 'Your Subscriptions' });
    expect(screen.getAllByText(/^Mute /).map(({ textContent }) => textContent)).toEqual(['Mute caller-3']);
  });

  it('disables Subscribe for an expired subscription to a caller without a payout wallet', async () => {
    show({
      user: subscriber,
      api: { 'GET /api/subscriptions/my': [{ ...expired, canBeSubscribed: false }] },
    });
    expect(
      (await screen.findByRole<HTMLButtonElement>('button', { name: 'Subscribe to Grace Hopper' })).disabled,
    ).toBe(true);
  });

  // Specification 2.76
  it('shows the Become a Caller card only to users who are not callers', () => {
    const { onBecomeCaller } = show({ user: subscriber });
    fireEvent.click(screen.getByRole('button', { name: 'Apply' }));
    expect(onBecomeCaller).toHaveBeenCalledOnce();
    cleanup();
    show({ user: caller, view: 'subscriber' });
    expect(screen.queryByRole('button', { name: 'Apply' })).toBeNull();
  });
});

describe('the caller view', () => {
  const showCaller = (options: { user?: CurrentUser; api?: FakeRoutes } = {}) =>
    show({ user: caller, ...options });

  // Specification 2.74
  it('puts Make a Token Call before the profile and the wallet', async () => {
    showCaller();
    await region('Payout Wallet');
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Make a Token Call',
      'Active Calls',
      'Your Recent Buys',
      'Your Caller Profile',
      'Payout Wallet',
      'Telegram delivery',
      "Where You're Signed In",
      'Your Data',
      'Call History',
    ]);
  });

  it('shows the last known price of an active call until the current one arrives', async () => {
    showCaller({
      api: {
        [`GET /api/token-calls/caller/${caller.id}/active`]: [
          { ...activeCall, lastPrice: { price: '0.000025', at: '', source: 'jupiter' } },
        ],
      },
    });
    expect(
      within(await screen.findByRole('list', { name: 'Active Calls' })).getByText('+25.0%'),
    ).toBeDefined();
  });

  // Specification 2.72, 2.73
  it('shows Update and End for each active call, and each opens a dialog', async () => {
    showCaller({
      api: {
        [`GET /api/token-calls/caller/${caller.id}/active`]: [activeCall, { ...endedCall, isActive: true }],
      },
    });
    const rows = within(await screen.findByRole('list', { name: 'Active Calls' })).getAllByRole('listitem');
    const buttons = rows.map((row) =>
      within(row)
        .getAllByRole('button', { name: /^(Update|End) / })
        .map((button) => [button.getAttribute('aria-label'), button.textContent]),
    );
    expect(buttons).toEqual(
      ['BONK', 'WIF'].map((symbol) => [
        [`Update ${symbol}`, 'Update'],
        [`End ${symbol}`, 'End'],
      ]),
    );
    fireEvent.click(screen.getByRole('button', { name: 'Update WIF' }));
    expect(await screen.findByRole('dialog', { name: 'Send an update on WIF' })).toBeDefined();
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    fireEvent.click(screen.getByRole('button', { name: 'End BONK', hidden: true }));
    expect(await screen.findByRole('dialog', { name: 'End your BONK call?' })).toBeDefined();
  });

  const payout = { id: 'w1', walletAddress: BONK, isProven: true, isPayout: true, createdAt: '' };

  it('removes the payout wallet only after confirmation', async () => {
    const { routes } = showCaller({
      user: { ...caller, monthlyFee: '1' },
      api: { 'GET /api/user/wallets': [payout], 'DELETE /api/user/wallets/w1': {} },
    });
    const removals = () => routes().filter((route) => route.startsWith('DELETE'));
    fireEvent.click(await screen.findByRole('button', { name: 'Remove' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove your payout wallet?' }));
    expect(dialog.getByText(/Nobody can subscribe or renew/)).toBeDefined();
    expect(removals()).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: 'Remove wallet' }));
    await screen.findAllByText('Wallet Removed');
    expect(removals()).toHaveLength(1);
  });

  // Specification 2.65-2.71, 6.20
  it('labels every statistic, links to the public profile and edits the fee in place', async () => {
    showCaller({ user: { ...caller, monthlyFee: '1.5' } });
    const card = await region('Your Caller Profile');
    await within(card).findByText('62.5%');
    const figures = within(card)
      .getAllByRole('term')
      .map((term) => `${term.textContent}: ${term.nextElementSibling?.textContent}`);
    expect(figures).toEqual([
      'Total Calls: 9',
      'Subscribers: 3',
      'Win Rate: 62.5%',
      'Avg Return: +12.3%',
      'Earnings: 1.8000 SOL',
    ]);
    expect(within(card).getByText('Monthly Fee').parentElement?.textContent).toBe('Monthly Fee1.5 SOL');
    const hrefOf = (name: string) => within(card).getByRole('link', { name }).getAttribute('href');
    expect(hrefOf('View Public Profile')).toBe('/caller/user-1');
    expect(hrefOf('How we count')).toBe('/how-we-count');
    fireEvent.click(within(card).getByRole('button', { name: 'Edit monthly fee' }));
    expect(within(card).getByRole<HTMLInputElement>('spinbutton').value).toBe('1.5');
  });

  // Specification 2.75
  it('shows only ended calls in the history', async () => {
    showCaller({ api: { [`GET /api/token-calls/caller/${caller.id}/history`]: [activeCall, endedCall] } });
    const history = await screen.findByRole('list', { name: 'Call History' });
    expect(within(history).getAllByRole('listitem')).toHaveLength(1);
    expect(within(history).getByText('dogwifhat')).toBeDefined();
  });

  it('asks a Paid caller without a payout wallet to connect one', async () => {
    const { onConnectWallet } = showCaller({ user: { ...caller, monthlyFee: '1' } });
    const card = within(await region('Payout Wallet'));
    expect(await card.findByText(/nobody can subscribe to you yet/)).toBeDefined();
    fireEvent.click(card.getByRole('button', { name: 'Connect Wallet' }));
    expect(onConnectWallet).toHaveBeenCalledOnce();
  });

  it('shows no wallet warning to a Paid caller with a payout wallet', async () => {
    showCaller({ user: { ...caller, monthlyFee: '1' }, api: { 'GET /api/user/wallets': [payout] } });
    expect(await screen.findByText('Payout')).toBeDefined();
    expect(screen.queryByText(/nobody can subscribe to you yet/)).toBeNull();
  });
});
