import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { MySubscription } from '#schema/contracts/subscriptions.ts';
import { dashboardApi, expired, subscriber } from '#web/testing/dashboard-samples.ts';
import { refuse, type FakeRoutes } from '#web/testing/fake-api.ts';
import { click } from '#web/testing/find-in-page.ts';
import { openApp } from '#web/testing/render-app.tsx';
import { expectToast } from '#web/testing/render-screen.tsx';
import { ada, adaListed, adaProfile, profileApi } from '#web/testing/samples.ts';

const REQUEST = `DELETE /api/subscriptions/free/${ada.id}`;
const graceEnd = '2099-12-03T10:00:00.000Z';
const slow = { timeout: 5_000 };

interface Follow {
  /** The caller's fee; null for Free. */
  readonly monthlyFee?: string | null;
  readonly canUnfollow?: boolean;
  readonly routes?: FakeRoutes;
}

/** Opens a page as a follower of Ada. The fake server removes the follow on the first DELETE. */
function open(path: string, { monthlyFee = null, canUnfollow = true, routes = {} }: Follow = {}) {
  let isFollowing = true;
  const endDate = monthlyFee === null ? null : graceEnd;
  const row = (): MySubscription => ({
    ...expired,
    callerId: ada.id,
    caller: ada,
    status: 'active',
    endDate,
    isActive: true,
    isCurrentlyActive: true,
    monthlyFee,
    canUnfollow,
  });
  const viewer = () => ({
    isOwner: false,
    isSubscribed: isFollowing,
    canSeeActiveCalls: isFollowing || monthlyFee === null,
    accessEndsAt: isFollowing ? endDate : null,
    canUnfollow: isFollowing && canUnfollow,
  });
  const { calls } = openApp(path, {
    ...dashboardApi,
    ...profileApi,
    'GET /api/auth/user': subscriber,
    'GET /api/subscriptions/my': () => (isFollowing ? [row()] : []),
    'GET /api/callers': [{ ...adaListed, monthlyFee }],
    'GET /api/callers/ada': () => ({ ...adaProfile, monthlyFee, viewer: viewer() }),
    [REQUEST]: () => {
      isFollowing = false;
      return { removed: true };
    },
    'POST /api/subscriptions/free': () => {
      isFollowing = true;
      return row();
    },
    ...routes,
  });
  return { requests: () => calls.filter(({ route }) => route === REQUEST).length };
}

const unfollow = async (name = 'Unfollow') =>
  fireEvent.click(await screen.findByRole('button', { name }, slow));

it('Unfollow on a Free caller’s profile ends the follow at once, and the follow button reappears', async () => {
  const { requests } = open('/caller/ada');
  await unfollow();
  await expectToast('Unfollowed Ada Byron');
  expect(await screen.findByRole('button', { name: 'Free Access' })).toBeTruthy();
  expect(screen.queryByText('Subscribed')).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(requests()).toBe(1);
});

it.each(['/', '/?view=table'])('Unfollow is offered in the directory at %s', async (path) => {
  open(path);
  await unfollow('Unfollow Ada Byron');
  await expectToast('Unfollowed Ada Byron');
  expect(await screen.findByRole('button', { name: 'Free Access: Ada Byron' })).toBeTruthy();
  expect(document.activeElement).not.toBe(document.body);
});

it('Unfollow removes the row from Your Subscriptions, and shows a toast with a button to follow again', async () => {
  open('/dashboard');
  await unfollow('Unfollow Ada Byron');
  await screen.findByText('No subscriptions yet');
  click('Follow again');
  expect(await screen.findByRole('list', { name: 'Your Subscriptions' })).toBeTruthy();
});

it('Unfollow asks for confirmation if it would end free access to a caller who now charges', async () => {
  const { requests } = open('/caller/ada', { monthlyFee: '0.5' });
  const sendRequest = async () => {
    fireEvent.click(await screen.findByText('Unfollow', {}, slow));
    const save = await screen.findByText('Keep following', {}, slow);
    return { save, dialog: save.closest<HTMLElement>('[role=dialog]') as HTMLElement };
  };
  const first = await sendRequest();
  expect(first.dialog.textContent).toMatch(
    /^Unfollow Ada Byron\?.*until Dec 3, 2099.*it ends now.*you pay 0\.5 SOL a month/,
  );
  fireEvent.click(first.save);
  await waitFor(() => expect(screen.queryByText('Keep following')).toBeNull());
  expect(requests()).toBe(0);
  const second = await sendRequest();
  fireEvent.click(within(second.dialog).getByText('Unfollow'));
  await expectToast('Unfollowed Ada Byron');
  await screen.findByText('Subscribe to View Active Calls', {}, slow);
  expect(screen.queryByText('Follow again')).toBeNull();
  expect(requests()).toBe(1);
});

it('Unfollow succeeds if another tab has already unfollowed', async () => {
  open('/caller/ada', {
    routes: { [REQUEST]: () => refuse(404, 'subscriptions.not_found', 'Not followed.') },
  });
  await unfollow();
  await expectToast('Unfollowed Ada Byron');
});

it('Unfollow shows the server’s reason for a refusal', async () => {
  const paid = () => refuse(409, 'subscriptions.paid_time_left', 'You paid for this.');
  open('/caller/ada', { routes: { [REQUEST]: paid } });
  await unfollow();
  await expectToast('Error', 'You paid for this.');
  expect(screen.getByText('Subscribed')).toBeTruthy();
});

it.each(['/caller/ada', '/', '/dashboard'])(
  'Unfollow is not offered for a paid subscription at %s',
  async (path) => {
    open(path, { monthlyFee: '0.5', canUnfollow: false });
    await screen.findByText(path === '/dashboard' ? 'Active' : 'Subscribed', {}, slow);
    expect(screen.queryByRole('button', { name: /^Unfollow/ })).toBeNull();
  },
);
