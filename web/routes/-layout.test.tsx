import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { SIGNED_IN_COOKIE } from '#schema/constants/people.ts';
import { signedOut, type FakeRoutes } from '#web/testing/fake-api.ts';
import { click, findAndClick, findHref, hrefOf, textsOf } from '#web/testing/find-in-page.ts';
import { openApp } from '#web/testing/render-app.tsx';
import { signedInUser } from '#web/testing/samples.ts';

function open(path: string, routes: FakeRoutes = {}) {
  return openApp(path, {
    'GET /api/callers': [],
    'GET /api/token-calls/ended': [],
    'GET /api/subscriptions/my': [],
    ...routes,
  });
}

/** The navigation bar. It is the first banner, because pages also have headers. */
const bar = () => within(screen.getAllByRole('banner')[0] as HTMLElement);

// Specification 2.15, 2.19, 2.21, 4.43, 6.7
it('the layout offers sign-in but no dashboard to signed-out visitors', async () => {
  open('/recent-calls');
  expect(await findHref('Sign in with Twitter')).toBe('/api/auth/twitter?returnTo=%2Frecent-calls');
  const link = bar().getByRole('link', { name: 'Recent Calls' });
  expect(link.getAttribute('aria-current')).toBe('page');
  expect(bar().queryByRole('link', { name: 'Dashboard' })).toBeNull();
});

it('the sign-in link returns to the same page with its filters', async () => {
  const { router } = open('/?verified=true&search=ada');
  const links = () => bar().getAllByRole('link', { name: 'Sign in with Twitter' });
  const hrefs = () => links().map((link) => link.getAttribute('href'));
  const back = '/api/auth/twitter?returnTo=%2F%3Fsearch%3Dada%26verified%3Dtrue';
  await waitFor(() => expect(hrefs()).toEqual([back]));
  click('Open menu');
  expect(new Set(hrefs())).toEqual(new Set([back]));
  await act(() => router.navigate({ to: '/' }));
  await waitFor(() => expect(new Set(hrefs())).toEqual(new Set(['/api/auth/twitter'])));
});

it('the first 401 makes the layout ask to sign in again while it still shows the user’s page', async () => {
  const user = vi.fn(() => Response.json(signedInUser));
  const { router } = open('/', { 'GET /api/auth/user': user, 'GET /api/subscriptions/my': signedOut });
  expect(await screen.findByRole('link', { name: 'Sign in again' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Sign in with Twitter' })).toBeNull();
  await act(() => router.navigate({ to: '/dashboard' }));
  expect(router.state.location.pathname).toBe('/dashboard');
  expect(user).toHaveBeenCalledOnce();
});

// Specification 4.41
it('the layout shows neither sign-in nor avatar while the session loads', async () => {
  open('/recent-calls', { 'GET /api/auth/user': () => new Promise(() => undefined) });
  await screen.findByRole('heading', { name: 'Recent Calls' });
  expect(screen.queryByRole('link', { name: 'Sign in with Twitter' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Your account' })).toBeNull();
});

// Specification 2.16, 2.19, 2.22-2.24, 2.26, 4.42
it('the account menu shows the account and a log-out link', async () => {
  open('/recent-calls', { 'GET /api/auth/user': signedInUser });
  fireEvent.click(await screen.findByRole('button', { name: 'Your account' }));
  const menu = await screen.findByRole('navigation', { name: 'Your account' });
  expect(menu.textContent).toBe('Vi Sitorvi@example.com@viDashboardPortfolioPaymentsSettingsLog out');
  expect(within(menu).getByRole('link', { name: 'Payments' }).getAttribute('href')).toBe('/payments');
  expect(within(menu).getByRole('link', { name: 'Log out' }).getAttribute('href')).toBe('/api/logout');
  expect(bar().queryByRole('link', { name: 'Sign in with Twitter' })).toBeNull();
});

// Specification 2.23-2.25
it('the account menu omits a missing email and handle, and hides the dashboard link on a phone', async () => {
  open('/recent-calls', { 'GET /api/auth/user': { ...signedInUser, email: null, twitterHandle: '' } });
  fireEvent.click(await screen.findByRole('button', { name: 'Your account' }));
  const menu = await screen.findByRole('navigation', { name: 'Your account' });
  expect(menu.textContent).toBe('Vi SitorDashboardPortfolioPaymentsSettingsLog out');
  const dashboard = within(menu).getByRole('link', { name: 'Dashboard' });
  expect(dashboard.getAttribute('href')).toBe('/dashboard');
  expect(dashboard.className).toContain('max-md:hidden');
});

// Specification 2.17, 2.18
it('the navigation bar links to home and Recent Calls for everyone', async () => {
  open('/');
  expect(await findHref('SolCallers home')).toBe('/');
  expect(bar().getByRole('link', { name: 'Recent Calls' }).getAttribute('href')).toBe('/recent-calls');
});

// Specification 2.20
it.each([
  ['/recent-calls', 'Recent Calls'],
  ['/recent-calls/of/today', 'Recent Calls'],
  ['/dashboard?view=subscriber', 'Dashboard'],
  ['/', 'nothing'],
])('the page %s highlights %s in the navigation bar', async (path, label) => {
  open(path, { 'GET /api/auth/user': signedInUser, 'GET /api/subscriptions/calls': [] });
  await screen.findByRole('button', { name: 'Your account' });
  const current = bar().queryAllByRole('link', { current: 'page' });
  const marked = current.filter((link) => link.getAttribute('aria-label') === null);
  await waitFor(() => expect(textsOf(marked)).toEqual(label === 'nothing' ? [] : [label]));
  for (const link of marked) expect(link.className.split(' ')).toContain('text-text');
});

// Specification 2.28
it('the mobile menu links the sign-in for signed-out users, and the dashboard and log-out for signed-in users', async () => {
  const openMenu = async () => {
    await findAndClick('Open menu');
    const menu = within(document.getElementById('mobile-menu') as HTMLElement);
    return menu.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  };
  open('/recent-calls');
  await screen.findByRole('link', { name: 'Sign in with Twitter' });
  expect(await openMenu()).toEqual([
    ['Recent Calls', '/recent-calls'],
    ['Sign in with Twitter', '/api/auth/twitter?returnTo=%2Frecent-calls'],
  ]);
  cleanup();
  document.cookie = `${SIGNED_IN_COOKIE}=1; Path=/`;
  open('/recent-calls', { 'GET /api/auth/user': signedInUser });
  await screen.findByRole('button', { name: 'Your account' });
  expect(await openMenu()).toEqual([
    ['Recent Calls', '/recent-calls'],
    ['Dashboard', '/dashboard'],
    ['Log out', '/api/logout'],
  ]);
});

// Specification 2.29-2.32
it.each(['/', '/recent-calls', '/nothing/here'])(
  'the footer at %s has the copyright, token contract address and social links',
  async (path) => {
    open(path);
    const footer = await screen.findByRole('contentinfo');
    within(footer).getByText(`© ${new Date().getFullYear()} SolCallers`);
    within(footer).getByText(/^Token contract address:/);
    expect(hrefOf('X', footer)).toBe('https://x.com/solcallers');
    expect(hrefOf('Discord', footer)).toBe('https://discord.gg/solcallers');
  },
);

// Specification 2.27
it('the menu button opens and closes the mobile menu', async () => {
  open('/recent-calls');
  await findAndClick('Open menu');
  expect(screen.getAllByRole('link', { name: 'Recent Calls' })).toHaveLength(2);
  fireEvent.keyDown(screen.getByRole('button', { name: 'Close menu' }), { key: 'Escape' });
  expect(screen.getAllByRole('link', { name: 'Recent Calls' })).toHaveLength(1);
});

// Specification 2.14
it('an unknown URL shows a not-found page', async () => {
  const { calls } = open('/nothing/here');
  expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeTruthy();
  await waitFor(() =>
    expect(calls).toContainEqual({ route: 'POST /api/events/page-view', body: { path: '/not-found' } }),
  );
});

it('the head tags that the server rendered stay until the first navigation', async () => {
  const shell = '<meta name="viewport" content="width=device-width">';
  const ofPage =
    '<link rel="canonical" href="https://s.example/"><meta name="description" content="Ada"><meta name="robots" content="noindex"><meta property="og:title" content="Ada"><meta name="twitter:image" content="https://s.example/ada.png">';
  document.head.insertAdjacentHTML('beforeend', shell + ofPage);
  const tags = () =>
    [...document.head.querySelectorAll('meta, link')].map(({ outerHTML }) => outerHTML).join('');
  const { router } = open('/');
  await screen.findByText('No Callers Found');
  expect(tags()).toBe(shell + ofPage);
  await act(() => router.navigate({ to: '/recent-calls' }));
  await screen.findByRole('heading', { name: 'Recent Calls' });
  expect(tags()).toBe(shell);
  document.head.innerHTML = '';
});

// Specification 2.34
it('a new page is reported once by its route pattern, and its heading gets the focus', async () => {
  const { calls, router } = open('/');
  await screen.findByText('No Callers Found');
  await act(() => router.navigate({ to: '/recent-calls' }));
  const heading = await screen.findByRole('heading', { name: 'Recent Calls' });
  await waitFor(() => expect(document.activeElement).toBe(heading));
  await act(() => router.navigate({ to: '/', search: { paid: 'true' } }));
  await act(() => router.navigate({ to: '/', search: { verified: 'true' } }));
  const views = calls.filter(({ route }) => route === 'POST /api/events/page-view').map(({ body }) => body);
  expect(views).toEqual([{ path: '/' }, { path: '/recent-calls' }, { path: '/' }]);
});

it('the chosen theme is stored, and changes when another theme is chosen in another tab', async () => {
  const theme = () => document.documentElement.dataset['theme'];
  const choose = (theme: string | null) => {
    if (theme === null) localStorage.removeItem('theme');
    else localStorage.setItem('theme', theme);
    fireEvent(window, new StorageEvent('storage', { key: 'theme', newValue: theme }));
  };
  open('/recent-calls');
  fireEvent.click(await screen.findByRole('radio', { name: 'Light' }));
  expect([theme(), localStorage.getItem('theme')]).toEqual(['light', 'light']);
  fireEvent.click(screen.getByRole('radio', { name: 'System' }));
  expect([theme(), localStorage.getItem('theme')]).toEqual([undefined, null]);
  choose('light');
  expect(theme()).toBe('light');
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Light' }).checked).toBe(true);
  choose(null);
  expect(theme()).toBeUndefined();
});

// Specification 2.8, 2.9, 6.29, 8.49
it('the dashboard redirects signed-out visitors to the directory', async () => {
  const { router } = open('/dashboard');
  await screen.findByRole('heading', { name: 'Find SolCallers' });
  expect(router.state.location.pathname).toBe('/');
});

// Specification 2.10, 4.41
it('the dashboard is not shown while the session loads', async () => {
  open('/dashboard', { 'GET /api/auth/user': () => new Promise(() => undefined) });
  await waitFor(() => expect(document.body.textContent).not.toContain('Dashboard'));
  expect(screen.queryByRole('heading', { level: 1 })).toBeNull();
});
