import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import {
  activeCall,
  caller,
  dashboardApi,
  endedCall,
  expired,
  subscriber,
  WIF,
  wif,
} from '#web/testing/dashboard-samples.ts';
import { refuse, type FakeRoutes } from '#web/testing/fake-api.ts';
import {
  buttonOf,
  click,
  findAndClick,
  findHref,
  findItems,
  findSection,
  hrefOf,
  textsOf,
} from '#web/testing/find-in-page.ts';
import { openApp } from '#web/testing/render-app.tsx';

const USER = 'GET /api/auth/user';
const SUBSCRIPTIONS = 'GET /api/subscriptions/my';
const ACTIVE = `GET /api/token-calls/caller/${caller.id}/active`;
const running = { ...expired, isActive: true, isCurrentlyActive: true, endDate: '2099-06-15T10:00:00.000Z' };
const inTelegram = { telegramHandle: 'ada_tele', telegramConnected: true };
const paid = { ...caller, monthlyFee: '1.5' };

const open = (path = '/dashboard', routes: FakeRoutes = {}) =>
  openApp(path, { ...dashboardApi, [`GET /api/tokens/${WIF}`]: wif, ...routes });
const openSubscriber = (routes: FakeRoutes = {}, user: object = subscriber) =>
  open('/dashboard?view=subscriber', { [USER]: user, ...routes });

// Finds the heading by its text. In accessible names, jsdom puts a space after a <bdi>.
const heading = (text: string) =>
  screen.findByText((_, element) => element?.tagName === 'H1' && element.textContent === text);
const switchTo = (view: string) => fireEvent.click(screen.getByRole('radio', { name: view }));

// Specification 2.8, 2.58-2.60, 6.9
it.each([
  ['', 'a subscriber', subscriber, 'Welcome, Ada!'],
  ['', 'a user without a first name', { ...subscriber, firstName: '' }, 'Welcome, Trader!'],
  ['', 'a caller', caller, 'Caller Dashboard'],
  ['?view=subscriber', 'a caller', caller, 'Welcome, Ada!'],
  ['?view=nonsense', 'a caller', caller, 'Caller Dashboard'],
  ['?view=caller', 'a subscriber', subscriber, 'Welcome, Ada!'],
])('the dashboard at "/dashboard$0" shows $1 the heading “$3”', async (search, _who, user, title) => {
  open(`/dashboard${search}`, { [USER]: user });
  await heading(title);
});

// Specification 2.61, 6.21
it('the dashboard’s view switch changes the URL without a new history entry', async () => {
  const { router, address } = open();
  await heading('Caller Dashboard');
  switchTo('Subscriber');
  await heading('Welcome, Ada!');
  expect(address()).toBe('/dashboard?view=subscriber');
  expect(router.history.length).toBe(1);
  switchTo('Caller');
  await heading('Caller Dashboard');
  expect(address()).toBe('/dashboard');
});

it.each([
  ['caller', 'Call History'],
  ['subscriber', 'Ended Calls'],
])('the %s view gets its data in one request', async (view, last) => {
  const paths = [
    '/api/subscriptions/my',
    '/api/subscriptions/calls',
    `/api/callers/${caller.id}`,
    `/api/token-calls/caller/${caller.id}/active`,
    `/api/token-calls/caller/${caller.id}/history`,
    '/api/payments/subscribers?limit=6&show=running',
    '/api/user/telegram-chats',
    '/api/user/wallets',
  ];
  const bodyOf = (path: string) => dashboardApi[`GET ${path.split('?', 1)[0]}`];
  const { calls } = open(`/dashboard?view=${view}`, {
    'GET /api/dashboard': Object.fromEntries(paths.map((path) => [path, { body: bodyOf(path), link: null }])),
  });
  await findSection(last);
  await waitFor(() => expect(screen.queryAllByTestId('row-skeleton')).toEqual([]));
  const asked = calls.map(({ route, search = '' }) => `${route.replace('GET ', '')}${search}`);
  expect(asked.filter((path) => paths.includes(path))).toEqual([]);
  expect(asked.filter((path) => path === '/api/dashboard')).toHaveLength(1);
});

// Specification 2.62-2.64
it('the dashboard looks up the token in the URL, which still has the token after a change of the view', async () => {
  const { address } = open(`/dashboard?token=${WIF}`);
  await heading('Caller Dashboard');
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Find a token' }).value).toBe(WIF);
  await screen.findByText('dogwifhat');
  switchTo('Subscriber');
  await heading('Welcome, Ada!');
  expect(address()).toBe(`/dashboard?token=${WIF}&view=subscriber`);
});

// Specification 2.61, 2.63
it('the dashboard has no view switch for a subscriber, and ignores the token in the URL', async () => {
  const { calls } = open(`/dashboard?token=${WIF}`, { [USER]: subscriber });
  await heading('Welcome, Ada!');
  expect(screen.queryByRole('radiogroup', { name: 'Dashboard view' })).toBeNull();
  expect(calls.filter(({ route }) => route.includes('/api/tokens/'))).toEqual([]);
});

it('the dashboard shows a call from another tab when the server refuses a second call on the token', async () => {
  // Stops the polls.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let made: object[] = [];
  const refusal = () => refuse(409, 'calls.already_called', 'Already Called: end it first.');
  open(`/dashboard?token=${WIF}`, { [ACTIVE]: () => made, 'POST /api/token-calls': refusal });
  await screen.findByRole('button', { name: 'Make Call' });
  made = [{ ...activeCall, tokenMint: WIF, tokenSymbol: 'WIF' }];
  click('Make Call');
  await screen.findByRole('button', { name: 'Already Called' });
  buttonOf('End WIF');
});

// Specification 2.36, 2.76, 4.26
it('a subscriber who becomes a caller in the dashboard’s dialog gets the caller view', async () => {
  open('/dashboard', {
    [USER]: subscriber,
    'POST /api/user/become-caller': { ...subscriber, isCaller: true },
  });
  await findAndClick('Apply');
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Become a Caller' }));
  await heading('Caller Dashboard');
});

// Specification 2.76, 2.80
it('both views of a caller’s dashboard lead to the Telegram settings, and have no Apply button', async () => {
  openSubscriber({}, { ...caller, ...inTelegram });
  const card = within(await findSection('Telegram Notifications'));
  card.getByText('Connected');
  expect(hrefOf('Telegram Notifications')).toBe('/settings/notifications');
  expect(screen.queryByRole('button', { name: 'Apply' })).toBeNull();
  switchTo('Caller');
  await heading('Caller Dashboard');
  expect(hrefOf('Telegram Notifications')).toBe('/settings/notifications');
});

// Specification 2.76, 2.81
it('the subscriber view lists subscriptions, and the mute button of an active one works', async () => {
  openSubscriber(
    {
      [SUBSCRIPTIONS]: [expired, { ...running, id: 's2', callerId: 'caller-3' }],
      'PUT /api/user/notifications/mutes/caller-2': () => new Promise(() => undefined),
    },
    { ...subscriber, ...inTelegram },
  );
  const list = await screen.findByRole('list', { name: 'Your Subscriptions' });
  expect(list.textContent).toMatch(/Grace Hopper.*Active.*until Jun 15, 2099.*0\.5 SOL/);
  expect(textsOf(screen.getAllByRole('heading', { level: 2 }))).toEqual(
    expect.arrayContaining(['Active Calls', 'Ended Calls', 'Your Subscriptions', 'Become a Caller']),
  );
  const muteButton = await screen.findByRole('button', { name: 'Mute Grace Hopper on Telegram' });
  expect(muteButton.getAttribute('aria-pressed')).toBe('false');
  fireEvent.click(muteButton);
  await waitFor(() => expect(muteButton.getAttribute('aria-pressed')).toBe('true'));
});

it.each([true, false])(
  'an expired subscription can be renewed only if the caller takes subscriptions (takes them: %s)',
  async (canBeSubscribed) => {
    openSubscriber({
      [SUBSCRIPTIONS]: [{ ...expired, monthlyFee: canBeSubscribed ? null : '0.5', canBeSubscribed }],
    });
    const button = await screen.findByRole('button', { name: 'Subscribe to Grace Hopper' });
    expect((button as HTMLButtonElement).disabled).toBe(!canBeSubscribed);
    fireEvent.click(button);
    const dialogs = canBeSubscribed ? [await screen.findByRole('dialog', {}, { timeout: 5_000 })] : [];
    expect(screen.queryAllByRole('dialog')).toEqual(dialogs);
  },
);

it.each([
  ['an active free subscription', { endDate: null, monthlyFee: null }],
  ['paid time left with a caller who is Free now', { monthlyFee: null }],
])('the subscriber view shows no renew button for %s', async (_what, change) => {
  openSubscriber({ [SUBSCRIPTIONS]: [{ ...running, ...change }] });
  await screen.findByText('Grace Hopper');
  expect(screen.queryByRole('button', { name: /Grace Hopper/ })).toBeNull();
});

// Specification 2.74
it('the caller view shows Make a Token Call before the profile and the wallet', async () => {
  open();
  await findSection('Call History');
  expect(textsOf(screen.getAllByRole('heading', { level: 2 }))).toEqual([
    'Make a Token Call',
    'Active Calls',
    'Subscribers',
    'Your Caller Profile',
    'Telegram Notifications',
    'Telegram Channel and Group',
    'Payout Wallet',
    'Sign-ins and API Keys',
    'Call History',
  ]);
});

it('the caller view shows an active call’s change from the entry price to the last price in the response', async () => {
  const lastPrice = { price: '0.000025', at: '', source: 'jupiter' };
  open('/dashboard', { [ACTIVE]: [{ ...activeCall, lastPrice }] });
  const list = await screen.findByRole('list', { name: 'Active Calls' });
  within(list).getByText('+25.0%');
});

// Specification 2.65-2.71, 6.20
it('the profile card of the caller view shows labelled statistics, links and an editor for the fee', async () => {
  open('/dashboard', { [USER]: paid });
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
  expect(hrefOf('View Public Profile', card)).toBe('/caller/user-1');
  expect(hrefOf('How we count', card)).toBe('/how-we-count');
  click('Edit monthly fee');
  expect(within(card).getByRole<HTMLInputElement>('spinbutton').value).toBe('1.5');
});

// Specification 2.75
it('the caller view shows only ended calls in the history', async () => {
  open('/dashboard', { [`GET /api/token-calls/caller/${caller.id}/history`]: [activeCall, endedCall] });
  expect(textsOf(await findItems('Call History'))).toEqual([expect.stringContaining('dogwifhat')]);
});

it('the dashboard shows two ended calls, and all of them on request', async () => {
  const calls = ['a', 'b', 'c'].map((id) => ({ ...endedCall, id }));
  open('/dashboard', { [`GET /api/token-calls/caller/${caller.id}/history`]: calls });
  expect(await findItems('Call History')).toHaveLength(2);
  click('Show all 3');
  expect(await findItems('Call History')).toHaveLength(3);
});

const chats = (count: number) => ({ chats: Array.from({ length: count }, (_, id) => ({ id })), addUrls: {} });
const CHATS = 'GET /api/user/telegram-chats';

it.each<[string, string, string, FakeRoutes]>([
  ['a new account', 'Find a caller', '/', { [USER]: subscriber }],
  [
    'a follower without messages',
    'Get messages',
    '/settings/notifications#telegram',
    { [USER]: subscriber, [SUBSCRIPTIONS]: [running] },
  ],
  [
    'a Paid caller without a payout wallet',
    'Connect a wallet',
    '/settings/wallets#payout-wallet',
    { [USER]: paid },
  ],
  [
    'a caller without a group',
    'Add your group',
    '/settings/notifications#telegram-chats',
    { [USER]: { ...caller, ...inTelegram } },
  ],
])('the dashboard of %s has one next step: %s', async (_who, action, href, routes) => {
  open('/dashboard', routes);
  expect(await findHref(action)).toBe(href);
  expect(within(screen.getByRole('region', { name: 'What to do next' })).getAllByRole('link')).toHaveLength(
    1,
  );
});

it('a dismissed next step stays away after a reload', async () => {
  const routes = { [USER]: { ...caller, ...inTelegram }, [CHATS]: chats(0) };
  open('/dashboard', routes);
  await findAndClick('Dismiss');
  await screen.findByText('Nothing needs doing now.');
  cleanup();
  open('/dashboard', routes);
  await screen.findByText('Nothing needs doing now.');
});

it('the dashboard says that nothing needs doing for a caller with messages and a group', async () => {
  open('/dashboard', { [USER]: { ...caller, ...inTelegram }, [CHATS]: chats(1) });
  await screen.findByText('Nothing needs doing now.');
});
