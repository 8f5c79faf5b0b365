import { act, fireEvent, screen } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { activeCall as ownCall, caller, dashboardApi } from '#web/testing/dashboard-samples.ts';
import { LazyConnectionNotice } from '#web/features/layout/lazy-after-first-screen.ts';
import { refuse, type FakeRoutes } from '#web/testing/fake-api.ts';
import { openApp } from '#web/testing/render-app.tsx';
import { adaListed, endedCall, signedInUser } from '#web/testing/samples.ts';

const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const never = () => new Promise(() => undefined);
const ENDED = 'GET /api/token-calls/ended';

/** Opens the app with a fake clock. While `environment.isDown`, no request gets a response. */
async function open(path: string, routes: FakeRoutes = {}, { isDown = false } = {}) {
  const environment = { isDown };
  const responses: FakeRoutes = {
    'GET /api/auth/user': signedInUser,
    'GET /api/subscriptions/my': [],
    'GET /api/callers': [adaListed],
    [ENDED]: [endedCall],
    ...routes,
  };
  const response = (value: unknown) => () => {
    if (environment.isDown) throw new TypeError('Failed to fetch');
    return typeof value === 'function' ? (value as () => unknown)() : value;
  };
  const guarded = Object.entries(responses).map(([route, value]) => [route, response(value)]);
  const { calls, ...app } = openApp(path, Object.fromEntries(guarded) as FakeRoutes, {
    hasRetryDelays: true,
  });
  // A fake clock doesn't wait for the page's own import.
  await act(() => vi.dynamicImportSettled());
  await advance(100);
  return {
    ...app,
    environment,
    setOnline: (isOnline: boolean) => {
      environment.isDown = !isOnline;
      vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
      window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
    },
    count: (route: string) => calls.filter((call) => call.route === route).length,
  };
}

const notice = () =>
  screen.queryByText(/^You're offline\. This|^Can't reach|^The connection is slow/)?.textContent ?? null;
const UNREACHABLE = "Can't reach the server. Trying again…";
const SLOW = 'The connection is slow. Still loading…';

// A fake clock doesn't wait for an import.
beforeAll(() => LazyConnectionNotice.preload?.());
beforeEach(() => void vi.useFakeTimers());

it('a page opened during an outage shows a notice within two seconds, and loads by itself afterwards', async () => {
  const { environment } = await open('/', {}, { isDown: true });
  await advance(1_900);
  expect(notice()).toBe(UNREACHABLE);
  expect(screen.queryByRole('link', { name: 'Sign in with Twitter' })).toBeNull();
  environment.isDown = false;
  await advance(15_000);
  await act(() => vi.dynamicImportSettled());
  expect(notice()).toBeNull();
  expect(screen.getByRole('button', { name: 'Your account' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Ada Byron' })).toBeTruthy();
});

it('a page still shows its content and the signed-in user during an outage', async () => {
  const { environment, queryClient } = await open('/recent-calls');
  const shown = screen.getByRole('main').textContent;
  environment.isDown = true;
  void queryClient.invalidateQueries();
  await advance(60_000);
  expect(notice()).toBe(UNREACHABLE);
  expect(screen.getByRole('main').textContent).toBe(shown);
  expect(screen.queryByRole('link', { name: 'Sign in with Twitter' })).toBeNull();
});

it('a page shows the notice about an outage if the API responds only with errors', async () => {
  const failing = () => refuse(500, 'server.failed', 'Something failed.');
  await open('/recent-calls', { 'GET /api/auth/user': failing, [ENDED]: failing });
  await advance(1_900);
  expect(notice()).toBe(UNREACHABLE);
});

it('a page shows no notice about an outage if only a price source is down', async () => {
  await open('/recent-calls', { [ENDED]: () => refuse(502, 'prices.unavailable', 'No price.') });
  await advance(5_000);
  expect(notice()).toBeNull();
  expect(screen.getByText('No price.')).toBeTruthy();
});

it('an outage stops polling until it is over', async () => {
  const { environment, count } = await open('/recent-calls');
  environment.isDown = true;
  await advance(40_000);
  const polls = count(ENDED);
  await advance(180_000);
  expect(count(ENDED)).toBe(polls);
  environment.isDown = false;
  await advance(20_000);
  expect(count(ENDED)).toBe(polls + 1);
  await advance(30_000);
  expect(count(ENDED)).toBe(polls + 2);
});

it('a page that has waited for its content for more than 1.3 seconds says that the connection is slow', async () => {
  await open('/', { 'GET /api/callers': never });
  await advance(1_300);
  expect(notice()).toBeNull();
  await advance(600);
  expect(notice()).toBe(SLOW);
});

it('a slow connection shows no notice while shown content is refetched', async () => {
  let isSlow = false;
  await open('/recent-calls', { [ENDED]: () => (isSlow ? never() : [endedCall]) });
  isSlow = true;
  await advance(50_000);
  expect(notice()).toBeNull();
});

it('an offline search still shows the previous list, and says why', async () => {
  const { setOnline } = await open('/');
  setOnline(false);
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search' }), { target: { value: 'grace' } });
  await advance(4_000);
  const text = 'This list is from your earlier search. The new one loads when the connection is back.';
  expect(screen.queryByText(text)).not.toBeNull();
  expect(screen.getByRole('link', { name: 'Ada Byron' })).toBeTruthy();
  setOnline(true);
  await advance(1_000);
  expect(screen.queryByText(/^This list is from your earlier search/)).toBeNull();
});

it('an offline action fails at once, and is not sent when the network is back', async () => {
  const end = `PATCH /api/token-calls/${ownCall.id}/end`;
  const { count, setOnline } = await open('/dashboard', {
    ...dashboardApi,
    [`GET /api/token-calls/caller/${caller.id}/active`]: [
      { ...ownCall, lastPrice: { price: '1', at: new Date().toISOString(), source: 'x' } },
    ],
    [end]: ownCall,
  });
  fireEvent.click(screen.getByRole('button', { name: /^End / }));
  await vi.dynamicImportSettled();
  await advance(500);
  setOnline(false);
  fireEvent.click(screen.getByRole('button', { name: 'End call' }));
  await advance(500);
  expect(count(end)).toBe(1);
  expect(screen.getAllByText("You're offline. Check your connection and try again.")).not.toHaveLength(0);
  setOnline(true);
  await advance(60_000);
  expect(count(end)).toBe(1);
});

it('the page of a failed route loads by itself when the outage is over', async () => {
  const { environment } = await open('/dashboard', dashboardApi, { isDown: true });
  await advance(3_000);
  expect(screen.getByText('Failed to load this page')).toBeTruthy();
  environment.isDown = false;
  await advance(15_000);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Caller Dashboard');
});
