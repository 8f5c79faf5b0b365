import { useState } from 'react';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { CallerSummary } from '#schema/contracts/callers.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { type FakeRoutes, refuse, stubApi } from '#web/testing/fake-api.ts';
import {
  buttonOf,
  click,
  findAndClick,
  findItems,
  findSection,
  hrefOf,
  linkOf,
  NEW_TAB,
  textsOf,
} from '#web/testing/find-in-page.ts';
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

/** Holds the view in React state instead of the URL. */
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

const ACTIVE = `GET /api/token-calls/caller/${caller.id}/active`;
const heading = () => screen.getByRole('heading', { level: 1 }).textContent;

describe('the dashboard', () => {
  // Specification 2.58-2.60, 6.9
  it.each([
    ['a subscriber', subscriber, 'Welcome, Ada!'],
    ['a user without a first name', { ...subscriber, firstName: '' }, 'Welcome, Trader!'],
    ['a caller', caller, 'Caller Dashboard'],
  ])('the dashboard shows the default view and title to %s', (_who, user, title) => {
    show({ user });
    expect(heading()).toBe(title);
  });

  // Specification 2.61, 6.21
  it('the dashboard shows the view switch to callers only', () => {
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
  it('the dashboard opens the caller view with the URL’s token filled in and looked up', async () => {
    show({ user: caller, token: WIF });
    expect(heading()).toBe('Caller Dashboard');
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Find a token' }).value).toBe(WIF);
    expect(await screen.findByText('dogwifhat')).toBeDefined();
  });

  it('the dashboard shows a call from another tab as soon as the server refuses a second one', async () => {
    // Stops the polls.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    let made: object[] = [];
    const refusal = () => refuse(409, 'calls.already_called', 'Already Called: end it first.');
    show({ user: caller, token: WIF, api: { [ACTIVE]: () => made, 'POST /api/token-calls': refusal } });
    await screen.findByRole('button', { name: 'Make Call' });
    made = [{ ...activeCall, tokenMint: WIF, tokenSymbol: 'WIF' }];
    click('Make Call');
    await screen.findByRole('button', { name: 'Already Called' });
    buttonOf('End WIF');
  });

  // Specification 2.63
  it('the dashboard ignores the URL’s token for a subscriber', () => {
    const { routes } = show({ user: subscriber, token: WIF });
    expect(heading()).toBe('Welcome, Ada!');
    expect(routes().filter((route) => route.includes('/api/tokens/'))).toEqual([]);
  });

  it('the dashboard shows no caller view to a subscriber', () => {
    show({ user: subscriber, view: 'caller' });
    expect(heading()).toBe('Welcome, Ada!');
  });

  it('the dashboard switches to the caller view when the user becomes a caller', () => {
    const { changeUser } = show({ user: subscriber });
    changeUser(caller);
    expect(heading()).toBe('Caller Dashboard');
  });

  it('the dashboard requests the user’s wallets and calls only in the caller view', async () => {
    const { routes } = show({ user: caller, view: 'subscriber' });
    await screen.findByText('No subscriptions yet');
    expect(routes().filter((route) => route.includes('wallets') || route.includes('token-calls'))).toEqual(
      [],
    );
  });
});

describe('the subscriber view', () => {
  const running = {
    ...expired,
    id: 's2',
    callerId: 'caller-3',
    caller: { ...expired.caller, id: 'caller-3' },
    isActive: true,
    isCurrentlyActive: true,
    endDate: '2099-06-15T12:00:00.000Z',
  };

  // Specification 2.80
  it('the subscriber view shows the notifications card, unlike the caller view', () => {
    show({ user: caller, view: 'subscriber' });
    expect(screen.getByText('Notifications')).toBeDefined();
    fireEvent.click(screen.getByRole('radio', { name: 'Caller' }));
    expect(screen.queryByText('Notifications')).toBeNull();
  });

  // Specification 2.77-2.79, 6.12
  it('the subscriber view lists followed calls with a Buy link', async () => {
    const lastPrice = { price: '0.00003', at: '', source: 'jupiter' };
    show({
      user: subscriber,
      api: { 'GET /api/subscriptions/calls': [{ ...activeCall, lastPrice }, endedCall] },
    });
    const active = await screen.findByRole('list', { name: 'Active Calls' });
    const buy = within(active).getByRole('link', { name: 'Buy BONK' });
    expect(linkOf(buy)).toEqual([`https://jup.ag/swap/SOL-${BONK}`, ...NEW_TAB]);
    await within(active).findByText('+50.0%');
    const ended = screen.getByRole('list', { name: 'Ended Calls' });
    for (const text of ['+50.0%', 'Buy']) within(ended).getByText(text);
    expect(hrefOf('Ada Byron', ended)).toBe('/caller/user-1');
  });

  // Specification 2.76, 2.81
  it('the subscriber view lists subscriptions, with a mute button for active ones only', async () => {
    show({ user: subscriber, api: { 'GET /api/subscriptions/my': [expired, running] } });
    const list = await screen.findByRole('list', { name: 'Your Subscriptions' });
    expect(list.textContent).toMatch(/Grace Hopper.*Active.*until Jun 15, 2099.*0\.5 SOL/);
    expect(textsOf(screen.getAllByRole('heading', { level: 2 }))).toEqual(
      expect.arrayContaining(['Active Calls', 'Ended Calls', 'Your Subscriptions', 'Become a Caller']),
    );
    expect(textsOf(screen.getAllByText(/^Mute /))).toEqual(['Mute caller-3']);
  });

  it.each([true, false])(
    'an expired subscription to a caller who is Free now can be renewed if the caller is open: %s',
    async (canBeSubscribed) => {
      const mine = [{ ...expired, monthlyFee: canBeSubscribed ? null : '0.5', canBeSubscribed }];
      const { onSubscribe } = show({ user: subscriber, api: { 'GET /api/subscriptions/my': mine } });
      await findAndClick('Subscribe to Grace Hopper');
      expect(buttonOf('Subscribe to Grace Hopper').disabled).toBe(!canBeSubscribed);
      expect(onSubscribe.mock.calls).toEqual(
        canBeSubscribed ? [[expect.objectContaining({ id: expired.callerId, monthlyFee: null })]] : [],
      );
    },
  );

  it.each([
    ['an active free subscription', { endDate: null, monthlyFee: null }],
    ['an active subscription to a caller without a payout wallet', { canBeSubscribed: false }],
    ['paid time left with a caller who is Free now', { monthlyFee: null }],
  ])('the subscriber view shows no renew button for %s', async (_what, change) => {
    show({ user: subscriber, api: { 'GET /api/subscriptions/my': [{ ...running, ...change }] } });
    await screen.findByText('Grace Hopper');
    expect(screen.queryByRole('button', { name: /Grace Hopper/ })).toBeNull();
  });

  // Specification 2.76
  it('the subscriber view shows the Become a Caller card only to users who are not callers', () => {
    const { onBecomeCaller } = show({ user: subscriber });
    click('Apply');
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
  it('the caller view shows Make a Token Call before the profile and the wallet', async () => {
    showCaller();
    await findSection('Payout Wallet');
    expect(textsOf(screen.getAllByRole('heading', { level: 2 }))).toEqual([
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

  it('the caller view shows an active call’s last known price until the current one arrives', async () => {
    const lastPrice = { price: '0.000025', at: '', source: 'jupiter' };
    showCaller({ api: { [ACTIVE]: [{ ...activeCall, lastPrice }] } });
    const list = await screen.findByRole('list', { name: 'Active Calls' });
    within(list).getByText('+25.0%');
  });

  // Specification 2.72, 2.73
  it('the caller view shows Update and End for each active call, and each opens a dialog', async () => {
    showCaller({ api: { [ACTIVE]: [activeCall, { ...endedCall, isActive: true }] } });
    const rows = await findItems('Active Calls');
    const buttons = rows.map((row) => within(row).getAllByRole('button', { name: /^(Update|End) / }));
    expect(buttons.map(textsOf)).toEqual([
      ['Update', 'End'],
      ['Update', 'End'],
    ]);
    click('Update WIF');
    fireEvent.keyDown(await screen.findByRole('dialog', { name: 'Send an update on WIF' }), {
      key: 'Escape',
    });
    fireEvent.click(screen.getByRole('button', { name: 'End BONK', hidden: true }));
    await screen.findByRole('dialog', { name: 'End your BONK call?' });
  });

  const payout = { id: 'w1', walletAddress: BONK, isProven: true, isPayout: true, createdAt: '' };

  it('the caller view removes the payout wallet only after confirmation', async () => {
    const { routes } = showCaller({
      user: { ...caller, monthlyFee: '1' },
      api: { 'GET /api/user/wallets': [payout], 'DELETE /api/user/wallets/w1': {} },
    });
    const removals = () => routes().filter((route) => route.startsWith('DELETE'));
    await findAndClick('Remove');
    await screen.findByText(/Nobody can subscribe or renew/);
    expect(removals()).toEqual([]);
    click('Remove wallet');
    await screen.findAllByText('Wallet Removed');
    expect(removals()).toHaveLength(1);
  });

  // Specification 2.65-2.71, 6.20
  it('the caller view labels every statistic, links to the profile and edits the fee in place', async () => {
    showCaller({ user: { ...caller, monthlyFee: '1.5' } });
    const card = await findSection('Your Caller Profile');
    await within(card).findByText('62.5%');
    const terms = within(card).getAllByRole('term');
    expect(terms.map((term) => `${term.textContent}: ${term.nextElementSibling?.textContent}`)).toEqual([
      'Total Calls: 9',
      'Subscribers: 3',
      'Win Rate: 62.5%',
      'Avg Return: +12.3%',
      'Earnings: 1.8000 SOL',
    ]);
    expect(within(card).getByText('Monthly Fee').parentElement?.textContent).toBe('Monthly Fee1.5 SOL');
    expect(['View Public Profile', 'How we count'].map((name) => hrefOf(name, card))).toEqual([
      '/caller/user-1',
      '/how-we-count',
    ]);
    click('Edit monthly fee');
    expect(within(card).getByRole<HTMLInputElement>('spinbutton').value).toBe('1.5');
  });

  // Specification 2.75
  it('the caller view shows only ended calls in the history', async () => {
    showCaller({ api: { [`GET /api/token-calls/caller/${caller.id}/history`]: [activeCall, endedCall] } });
    expect(textsOf(await findItems('Call History'))).toEqual([expect.stringContaining('dogwifhat')]);
  });

  it.each([false, true])(
    'the caller view asks a Paid caller to connect a payout wallet, unless there is one: %s',
    async (hasWallet) => {
      const { onConnectWallet } = showCaller({
        user: { ...caller, monthlyFee: '1' },
        api: { 'GET /api/user/wallets': hasWallet ? [payout] : [] },
      });
      const card = within(await findSection('Payout Wallet'));
      await card.findByText(hasWallet ? 'Payout' : /nobody can subscribe to you yet/);
      if (hasWallet) expect(card.queryByText(/nobody can subscribe to you yet/)).toBeNull();
      fireEvent.click(card.getByRole('button', { name: /^Connect/ }));
      expect(onConnectWallet).toHaveBeenCalledOnce();
    },
  );
});
