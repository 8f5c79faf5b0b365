import { createMemoryHistory } from '@tanstack/react-router';
import { act, screen, waitFor } from '@testing-library/react';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SIGNED_IN_COOKIE } from '#schema/constants/people.ts';
import { compareResults } from '#schema/rules/calls/compare-results.ts';
import type { CallDetail } from '#schema/contracts/calls.ts';
import type { PublicResponses } from '#worker/ports/page-renderer.ts';
import { readFirstPage } from './api/first-page.ts';
import { createQueryClient } from './api/query-client.ts';
import { renderPage } from './entry-server.tsx';
import { hydratePage } from './hydrate-page.tsx';
import { createAppRouter } from './router.ts';
import { stubApi } from './testing/fake-api.ts';
import {
  adaListed,
  adaProfile,
  adaStatistics,
  callDetail,
  callerResults,
  copiedCall,
  endedCall,
  quote,
  solPrice,
  tokenCalls,
  signedInUser,
} from './testing/samples.ts';

const detail: CallDetail = {
  ...callDetail,
  updates: [{ id: 'update-1', message: 'Half is sold.', at: endedCall.callTimestamp }],
  quotes: [quote],
  logEntries: [3, 8],
};

const responses: PublicResponses = {
  callers: async () => ({ rows: [adaListed], nextCursor: 'more' }),
  endedCalls: async () => ({ rows: [endedCall], nextCursor: null }),
  comparison: async ({ amount }) =>
    compareResults([{ ...callerResults([copiedCall(40, '2')]), caller: adaProfile }], {
      stakeUsd: amount,
      until: renderedAt,
    }),
  caller: async () => adaProfile,
  callerHistory: async () => ({ rows: [endedCall], nextCursor: null }),
  call: async () => detail,
  tokenCalls: async () => tokenCalls,
  solPrice: async () => solPrice('150'),
  status: async () => ({ pauses: [], outages: [] }),
};

/** The server's render time, which differs from the browser's. */
const renderedAt = Date.parse('2026-11-20T12:00:00.000Z');

let root: Root | undefined;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: renderedAt + 40_000 });
  localStorage.setItem('theme', 'light');
});
afterEach(() => {
  act(() => root?.unmount());
  document.body.replaceChildren();
});

const render = (href: string) => renderPage({ href, now: renderedAt, responses });

async function openPage(path: string) {
  const rendered = await render(path);
  if ('redirectTo' in rendered) throw new Error(`The page redirects to ${rendered.redirectTo}`);
  const { html, data } = rendered;
  document.body.innerHTML = `<div id="root">${html}</div><script type="application/json" id="first-page">${data}</script>`;
  return { page: readFirstPage(), container: document.getElementById('root') };
}

it.each([
  '/',
  '/?view=table',
  '/recent-calls',
  '/compare?callers=ada',
  '/caller/ada',
  '/call/call-1',
  '/how-we-count',
  '/sealed-calls',
  '/terms',
  '/privacy',
  '/risk',
])('hydration changes nothing in the HTML of %s and requests only missing data', async (path) => {
  const { page, container } = await openPage(path);
  if (page === null || container === null) throw new Error('The page has no data.');
  document.cookie = `${SIGNED_IN_COOKIE}=; Max-Age=-1; Path=/`;
  const calls = stubApi({
    'GET /api/prices': {},
    'GET /api/token-calls/call-1/chart': { points: [] },
  });
  // happy-dom doesn't choose the selected option of parsed HTML.
  const select = container.querySelector('select');
  if (select !== null) select.value = 'avgReturn';
  const problems: unknown[] = [];
  vi.spyOn(console, 'error').mockImplementation((...problem) => void problems.push(problem));
  const queryClient = createQueryClient();
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [path] }));
  const heading = container.querySelector('h1');
  const onRecoverableError = (error: unknown) => void problems.push(error);
  await act(async () => {
    root = await hydratePage({ container, page, queryClient, router, options: { onRecoverableError } });
  });
  expect(problems).toEqual([]);
  expect(container.querySelector('h1')).toBe(heading);
  expect(heading?.textContent).toBeTruthy();
  expect(calls.map(({ route }) => route)).not.toContainEqual(
    expect.stringMatching(/auth|callers|token-calls(?!.*\/chart$)/),
  );
});

it('rendering a page starts no timer that outlives it on the server', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await render('/call/call-1');
  expect(vi.getTimerCount()).toBe(0);
});

it('the HTML of a call has no style attribute, which the Content-Security-Policy forbids', async () => {
  const { container } = await openPage('/call/call-1');
  expect(container?.innerHTML).toContain('Price since the call');
  expect(container?.innerHTML).not.toMatch(/ style=/);
});

it.each([
  ['/?utm_source=x', '/'],
  ['/?', '/'],
  ['/?sort=avgReturn', '/'],
  ['/?sort=luck&search=ada&fbclid=1', '/?search=ada'],
  ['/?view=table&search=ada', '/?search=ada&view=table'],
  ['/?search=%61da', '/?search=ada'],
  ['/?search=ada&search=grace', '/?search=grace'],
  ['/recent-calls?utm_source=x', '/recent-calls'],
  ['/recent-calls/?x', '/recent-calls/'],
  ['/caller/ada?fbclid=x', '/caller/ada'],
  ['/caller/%61da?fbclid=x?y', '/caller/%61da'],
  ['/call/call-1?ref=x', '/call/call-1'],
  ['/how-we-count?search=ada', '/how-we-count'],
])('the URL %s is redirected to its canonical form %s', async (href, redirectTo) => {
  expect(await render(href)).toEqual({ redirectTo });
  expect(await render(redirectTo)).toHaveProperty('html');
});

it('a canonical directory URL with filters isn’t redirected', async () => {
  const queryClient = createQueryClient();
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: ['/'] }));
  const search = {
    search: 'ada & co',
    sort: 'fee',
    order: 'asc',
    maxFee: '0.5',
    verified: 'true',
    paid: 'true',
    view: 'table',
  } as const;
  expect(await render(router.buildLocation({ to: '/', search }).publicHref)).toHaveProperty('html');
});

/** Hydrates a page in a browser in which `signedInUser` is signed in. */
async function openSignedIn(path: string, profile: () => unknown) {
  const { page, container } = await openPage(path);
  if (page === null || container === null) throw new Error('The page has no data.');
  document.documentElement.dataset['unsettled'] = '';
  stubApi({
    'GET /api/auth/user': signedInUser,
    'GET /api/subscriptions/my': [],
    'GET /api/prices': {},
    'GET /api/callers/caller-1': profile,
    'GET /api/callers/ada': profile,
    'GET /api/callers/caller-1/statistics': adaStatistics,
    'GET /api/token-calls/caller/caller-1/history': [endedCall],
  });
  const queryClient = createQueryClient();
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [path] }));
  await act(async () => {
    root = await hydratePage({ container, page, queryClient, router });
  });
  return router;
}

const isWaiting = () => document.documentElement.dataset['unsettled'] !== undefined;

it('content for visitors is hidden from a signed-in user until the profile is refetched after hydration', async () => {
  let response: (profile: unknown) => void = () => undefined;
  await openSignedIn('/caller/ada', () => new Promise((resolve) => (response = resolve)));
  await waitFor(() => expect(response.length).toBe(1));
  expect(isWaiting()).toBe(true);
  await act(async () => response({ ...adaProfile, viewer: { ...adaProfile.viewer, isSubscribed: true } }));
  await screen.findByText('Subscribed');
  expect(isWaiting()).toBe(false);
});

it('a page opened after hydration hides nothing from a signed-in user, even if its data was preloaded', async () => {
  const router = await openSignedIn('/recent-calls', () => adaProfile);
  expect(isWaiting()).toBe(true);
  await act(() => router.preloadRoute({ to: '/caller/$username', params: { username: 'ada' } }));
  await act(() => router.navigate({ to: '/caller/$username', params: { username: 'ada' } }));
  await screen.findByRole('button', { name: 'Subscribe' });
  expect(isWaiting()).toBe(false);
});
