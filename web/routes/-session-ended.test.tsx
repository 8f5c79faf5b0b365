import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { SIGNED_IN_COOKIE } from '#schema/constants/people.ts';
import { caller, dashboardApi, profile } from '#web/testing/dashboard-samples.ts';
import { signedOut, type FakeRoutes } from '#web/testing/fake-api.ts';
import { openApp } from '#web/testing/render-app.tsx';
import { expectToast } from '#web/testing/render-screen.tsx';
import { adaStatistics } from '#web/testing/samples.ts';

const ROUTES: FakeRoutes = {
  ...dashboardApi,
  [`GET /api/callers/${caller.id}/statistics`]: adaStatistics,
};

/** Opens a page for the caller. After `endSession`, every request gets a 401, except page views. */
function open(path: string, routes: FakeRoutes = {}, as: unknown = caller) {
  let user = as;
  const responses = { ...ROUTES, ...routes };
  const guarded = Object.entries(responses).map(([route, response]) => [
    route,
    (body: unknown) => {
      if (user === null) return signedOut();
      const reply =
        typeof response === 'function' ? (response as (body: unknown) => unknown)(body) : response;
      return reply instanceof Response ? reply.clone() : reply;
    },
  ]);
  const app = openApp(path, {
    ...(Object.fromEntries(guarded) as FakeRoutes),
    'GET /api/auth/user': () => user ?? signedOut(),
  });
  return {
    ...app,
    endSession: () => (user = null),
    signIn: (who: unknown = caller) => {
      user = who;
      window.dispatchEvent(new Event('focus'));
    },
  };
}

/** Opens a page, ends the session and waits until the page offers to sign in again. */
async function openEnded(path: string, title: string | RegExp) {
  const app = open(path);
  await heading(title);
  app.endSession();
  await app.queryClient.invalidateQueries({ queryKey: ['subscriptions'] });
  return { ...app, link: await signInAgain() };
}

// In accessible names, jsdom puts a space after a <bdi>.
const GREETING = /^Welcome, Ada ?!$/;
const heading = (name: string | RegExp) => screen.findByRole('heading', { level: 1, name });
const signInAgain = () => screen.findByRole('link', { name: 'Sign in again' });

it('a page whose session ended still shows its content, and a link to sign in again in another tab', async () => {
  const { link, queryClient, router } = await openEnded('/dashboard?view=subscriber', GREETING);
  expect(['href', 'target', 'rel'].map((name) => link.getAttribute(name))).toEqual([
    '/api/auth/twitter?returnTo=%2Fdashboard%3Fview%3Dsubscriber%23signed-in',
    '_blank',
    'opener',
  ]);
  expect(screen.getByText('Your session has ended.').closest('[role=alert]')).not.toBeNull();
  await queryClient.invalidateQueries({ queryKey: ['auth', 'user'] });
  expect(screen.getByRole('heading', { level: 1, name: GREETING })).toBeTruthy();
  expect(router.state.location.pathname).toBe('/dashboard');
});

const FLAG = `${SIGNED_IN_COOKIE}=`;
const dropFlag = () => (document.cookie = `${FLAG}; Max-Age=0; Path=/`);

it('a visitor’s page asks who is signed in once at most, and only in a browser with the flag cookie', async () => {
  const openAsVisitor = async () => {
    const { calls } = openApp('/terms');
    await screen.findByRole('link', { name: 'Sign in with Twitter' });
    cleanup();
    return calls.filter(({ route }) => route === 'GET /api/auth/user').length;
  };
  expect(document.cookie).toContain(FLAG);
  expect([await openAsVisitor(), await openAsVisitor()]).toEqual([1, 0]);
  expect(document.cookie).not.toContain(FLAG);
});

it('a page that shows a user notices that the session has ended, also without the flag cookie', async () => {
  const { endSession, queryClient } = open('/dashboard');
  await heading('Caller Dashboard');
  endSession();
  dropFlag();
  await queryClient.invalidateQueries({ queryKey: ['auth', 'user'] });
  expect(await signInAgain()).toBeTruthy();
});

it('a dialog stays open when the user’s own profile is refetched without a session', async () => {
  let viewer = profile.viewer;
  const { queryClient } = openApp(`/caller/${caller.id}`, {
    ...ROUTES,
    [`GET /api/callers/${caller.id}`]: () => ({ ...profile, viewer }),
    'GET /api/auth/user': () => (viewer.isOwner ? caller : signedOut()),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Edit bio' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Bio' }));
  viewer = { ...viewer, isOwner: false, canSeeActiveCalls: false };
  await queryClient.refetchQueries({ queryKey: ['callers', 'profile', caller.id], exact: true });
  expect(await dialog.findByRole('link', { name: 'Sign in again' })).toBeTruthy();
  expect(dialog.getByRole('textbox')).toBeTruthy();
});

it('a page whose session ended checks the session again on focus', async () => {
  const { calls } = await openEnded('/dashboard', 'Caller Dashboard');
  const count = () => calls.filter(({ route }) => route === 'GET /api/auth/user').length;
  const before = count();
  window.dispatchEvent(new Event('focus'));
  await waitFor(() => expect(count()).toBe(before + 1));
  expect(screen.getByRole('link', { name: 'Sign in again' })).toBeTruthy();
});

it('a page whose session ended reloads if another user signs in', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
  const { signIn } = await openEnded('/dashboard', 'Caller Dashboard');
  signIn({ ...caller, id: 'user-2' });
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

it('a page reloads when a different user signs in in another tab', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
  open('/dashboard');
  await heading('Caller Dashboard');
  expect(localStorage.getItem('solcallers.user')).toBe(caller.id);
  const signInElsewhere = (newValue: string) =>
    window.dispatchEvent(new StorageEvent('storage', { key: 'solcallers.user', newValue }));
  signInElsewhere(caller.id);
  expect(reload).not.toHaveBeenCalled();
  signInElsewhere('user-2');
  expect(reload).toHaveBeenCalledOnce();
});

it('the tab that was opened to sign in again says how to continue if it can’t close itself', async () => {
  const { router } = open('/dashboard?view=subscriber#signed-in');
  await expectToast("You're signed in again", /close this one and continue there/);
  await waitFor(() => expect(router.history.location.href).toBe('/dashboard?view=subscriber'));
  expect(await heading(GREETING)).toBeTruthy();
});

describe('drafts on the dashboard', () => {
  const field = (name: string) => screen.findByRole<HTMLInputElement>('combobox', { name });
  const type = async (name: string, value: string) =>
    fireEvent.change(await field(name), { target: { value } });

  it('drafts are hidden from another user of the same tab and removed on logout', async () => {
    open('/dashboard');
    await type('Find a token', 'w');
    cleanup();
    open('/dashboard', {}, { ...caller, id: 'user-2' });
    expect((await field('Find a token')).value).toBe('');
    cleanup();

    open('/dashboard');
    fireEvent.click(await screen.findByRole('button', { name: 'Your account' }));
    const logOut = await screen.findByRole('link', { name: 'Log out' });
    logOut.addEventListener('click', (event) => event.preventDefault());
    expect((await field('Find a token')).value).toBe('w');
    fireEvent.click(logOut);
    expect(Object.keys(sessionStorage).filter((key) => key.includes('draft'))).toEqual([]);
  });
});

it('a logout in one tab redirects other tabs, and a page restored by Back, to the directory', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
  open('/recent-calls');
  await heading('Recent Calls');
  window.dispatchEvent(new StorageEvent('storage', { key: 'solcallers.theme' }));
  expect(assign).not.toHaveBeenCalled();
  window.dispatchEvent(new StorageEvent('storage', { key: 'solcallers.logged-out' }));
  expect(assign).toHaveBeenCalledWith('/');
  const replace = vi.spyOn(window.location, 'replace').mockImplementation(() => undefined);
  const show = (persisted: boolean) =>
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));
  show(false);
  expect(replace).not.toHaveBeenCalled();
  // Simulates a page that Back restores from the browser's memory.
  show(true);
  expect(replace).toHaveBeenCalledWith('/');
});
