import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  activeCall as ownCall,
  savedWallet,
  caller,
  dashboardApi,
  profile as ownProfile,
  wif,
  WIF,
} from '#web/testing/dashboard-samples.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { createQueryClient } from '#web/api/query-client.ts';
import { refuse, stubApi, type FakeRoutes } from '#web/testing/fake-api.ts';
import { openApp } from '#web/testing/render-app.tsx';
import { activeCall, adaProfile, endedCall, signedInUser, subscribedApi } from '#web/testing/samples.ts';

const MINUTE = 60_000;
const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

function setVisibility(state: 'visible' | 'hidden') {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  window.dispatchEvent(new Event('visibilitychange'));
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Opens the app with a fake clock. `count` returns the number of requests to a route, or of all requests. */
async function open(path: string, routes: FakeRoutes) {
  const { calls, ...app } = openApp(path, routes);
  await advance(100);
  const count = (route?: string) =>
    calls.filter((call) => route === undefined || call.route === route).length;
  return { ...app, count };
}

const profile = (): FakeRoutes => ({ ...subscribedApi, [ACTIVE]: [activeCall] });
const strange = (): FakeRoutes => ({ ...profile(), 'GET /api/callers/ada': adaProfile });
const recentCalls = (): FakeRoutes => ({ 'GET /api/token-calls/ended': [endedCall] });
const dashboard = (): FakeRoutes => ({
  ...dashboardApi,
  'GET /api/user/wallets': [savedWallet],
  [OWN_ACTIVE]: [ownCall],
  [`GET /api/tokens/${WIF}`]: wif,
});

const HISTORY = 'GET /api/token-calls/caller/caller-1/history';
const ACTIVE = 'GET /api/token-calls/caller/caller-1/active';
const OWN_ACTIVE = `GET /api/token-calls/caller/${caller.id}/active`;
const OWN = `GET /api/callers/${caller.id}`;
const FOLLOWED = 'GET /api/subscriptions/calls';
const SUBSCRIBER = '/dashboard?view=subscriber';

const polled = [
  ['prices of tokens with ended calls on a profile', 10, '/caller/ada', 'GET /api/prices', profile],
  ['active calls with their prices on a profile', 10, '/caller/ada', ACTIVE, profile],
  ['the figures of a profile without access', 30, '/caller/ada', 'GET /api/callers/ada', strange],
  ['ended calls on Recent Calls', 30, '/recent-calls', 'GET /api/token-calls/ended', recentCalls],
  ['wallets in the caller view', 5, '/dashboard', 'GET /api/user/wallets', dashboard],
  ['balances in the settings', 60, '/settings/wallets', 'GET /api/wallet/balances', dashboard],
  [
    'payout wallet changes in the settings',
    60,
    '/settings/wallets',
    'GET /api/user/payout-changes',
    dashboard,
  ],
  [
    'the delivery log in the settings',
    30,
    '/settings/notifications',
    'GET /api/telegram/deliveries',
    dashboard,
  ],
  ['active calls with their prices in the caller view', 10, '/dashboard', OWN_ACTIVE, dashboard],
  ['Subscribers and Earnings in the caller view', 10, '/dashboard', OWN, dashboard],
  ['the price of a looked-up token', 10, `/dashboard?token=${WIF}`, `GET /api/tokens/${WIF}`, dashboard],
  ['followed calls, with their prices, in the subscriber view', 10, SUBSCRIBER, FOLLOWED, dashboard],
] as const;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  setVisibility('visible');
});

// Specification 9.15-9.21
it.each(polled)('polling refetches %s every %d seconds', async (_name, seconds, path, route, routes) => {
  const { count } = await open(path, routes());
  expect(count(route)).toBe(1);
  await advance(seconds * 1_000 - 200);
  expect(count(route)).toBe(1);
  await advance(200);
  expect(count(route)).toBe(2);
  await advance(seconds * 1_000);
  expect(count(route)).toBe(3);
});

it.each([
  ['a profile', '/caller/ada', profile],
  ['Recent Calls', '/recent-calls', recentCalls],
  ['the caller view', '/dashboard', dashboard],
  ['the subscriber view', '/dashboard?view=subscriber', dashboard],
  ['the settings', '/settings/wallets', dashboard],
])(
  'polling sends no request from %s while the page is hidden, even during an outage',
  async (_name, path, routes) => {
    const { count } = await open(path, routes());
    setVisibility('hidden');
    const before = count();
    await advance(30 * MINUTE);
    expect(count()).toBe(before);

    setVisibility('visible');
    const failing = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')));
    vi.stubGlobal('fetch', failing);
    await advance(2 * MINUTE);
    expect(failing).toHaveBeenCalled();
    setVisibility('hidden');
    failing.mockClear();
    await advance(30 * MINUTE);
    expect(failing).not.toHaveBeenCalled();
  },
);

it('polling refetches the transactions every 30 seconds while the list of recent buys is open', async () => {
  const { count } = await open('/dashboard', dashboard());
  fireEvent.click(screen.getByText('Your Recent Buys'));
  await advance(1_000);
  expect(count('GET /api/wallet/transactions')).toBe(1);
  await advance(30_000);
  expect(count('GET /api/wallet/transactions')).toBe(2);
});

const ofCallers = ['user/wallets', 'user/payout-changes', 'wallet/transactions', 'wallet/balances'];
// Specification 9.16, 9.19, 9.20
it.each([...ofCallers, 'telegram/deliveries', `token-calls/caller/${caller.id}/active`])(
  'the subscriber view neither fetches nor polls %s',
  async (path) => {
    const { count } = await open('/dashboard?view=subscriber', dashboard());
    await advance(2 * MINUTE);
    expect(count(`GET /api/${path}`)).toBe(0);
  },
);

it('polling stops when the user leaves the page', async () => {
  const { count, router } = await open('/settings/wallets', {
    ...dashboard(),
    ...recentCalls(),
    'GET /api/auth/user': caller,
  });
  await act(() => router.navigate({ to: '/recent-calls' }));
  const routes = ['GET /api/user/wallets', 'GET /api/user/payout-changes', 'GET /api/wallet/balances'];
  const before = routes.map(count);
  expect(before).not.toContain(0);
  await advance(2 * MINUTE);
  expect(routes.map(count)).toEqual(before);
});

describe('a payment to the signed-in caller', () => {
  const profileAfter = (payments: number) => ({
    ...ownProfile,
    subscriberCount: payments,
    earnings: String(0.45 * payments),
  });
  it('a payment to the signed-in caller updates the dashboard’s figures within ten seconds', async () => {
    let payments = 0;
    await open('/dashboard', {
      ...dashboard(),
      [`GET /api/callers/${caller.id}`]: () => profileAfter(payments),
    });
    const card = screen.getByRole('heading', { name: 'Your Caller Profile' }).closest('section');
    expect(card?.textContent).toMatch(/Subscribers0.*Earnings0.0000 SOL/);
    payments = 1;
    await advance(10_000);
    expect(card?.textContent).toMatch(/Subscribers1.*Earnings0.4500 SOL/);
  });

  it('a payment to the signed-in caller appears in the open list of earnings together with the total', async () => {
    let payments = 0;
    const { count } = await open('/payments/earnings', {
      ...dashboard(),
      [`GET /api/callers/${caller.id}`]: () => profileAfter(payments),
      'GET /api/payments/earnings': [],
    });
    expect(count('GET /api/payments/earnings')).toBe(1);
    payments = 1;
    await advance(10_000);
    expect(screen.getByText('0.4500 SOL')).toBeTruthy();
    expect(count('GET /api/payments/earnings')).toBe(2);
  });
});

describe('data without polling', () => {
  const routes = ['GET /api/callers/ada', HISTORY, 'GET /api/auth/user'];

  it('data without polling is fetched only once, even if the page stays open and is focused again', async () => {
    const { count } = await open('/caller/ada', profile());
    await advance(5 * MINUTE);
    for (const state of ['hidden', 'visible'] as const) {
      setVisibility(state);
      window.dispatchEvent(new Event('focus'));
      await advance(1_000);
    }
    expect(routes.map(count)).toEqual([1, 1, 1]);
  });

  // Specification 9.46
  it('data without polling is not retried after a failure', async () => {
    const history = Promise.withResolvers<Response>();
    const { count } = await open('/caller/ada', { ...profile(), [HISTORY]: () => history.promise });
    history.resolve(refuse(500, 'server.failed', 'x'));
    await advance(MINUTE);
    expect(screen.getByText('Failed to load call history')).toBeTruthy();
    expect(count(HISTORY)).toBe(1);
  });
});

it('price requests that fail are retried three times', async () => {
  // The first request succeeds, so that all failures are in one poll.
  let requests = 0;
  const prices = { [endedCall.tokenMint]: { price: '1', at: '', source: 'x' } };
  const response = () => (requests++ === 0 ? prices : refuse(502, 'server.failed', 'x'));
  const { count } = await open('/caller/ada', { ...profile(), 'GET /api/prices': response });
  await advance(10_000);
  expect(count('GET /api/prices')).toBe(5);
});

describe('the signed-in user', () => {
  async function fetchUser() {
    const calls = stubApi({ 'GET /api/auth/user': signedInUser });
    const queryClient = createQueryClient();
    await queryClient.fetchQuery(currentUserQuery);
    return { queryClient, count: () => calls.length };
  }

  // Specification 9.22
  it('the signed-in user is fetched again only after ten minutes', async () => {
    const { queryClient, count } = await fetchUser();
    await advance(10 * MINUTE - 1);
    await queryClient.fetchQuery(currentUserQuery);
    expect(count()).toBe(1);
    await advance(1);
    await queryClient.fetchQuery(currentUserQuery);
    expect(count()).toBe(2);
  });

  // Specification 9.22
  it('the signed-in user stays in the cache for fifteen minutes', async () => {
    const { queryClient } = await fetchUser();
    await advance(15 * MINUTE - 1_000);
    expect(queryClient.getQueryData(currentUserQuery.queryKey)).toEqual(signedInUser);
    await advance(1_000);
    expect(queryClient.getQueryData(currentUserQuery.queryKey)).toBeUndefined();
  });
});
