import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { HOUR_MS } from '#schema/constants/time.ts';
import type { UserSession } from '#schema/contracts/sessions.ts';
import { refuse } from '#web/testing/fake-api.ts';
import { textsOf } from '#web/testing/find-in-page.ts';
import { expectToast, renderScreen } from '#web/testing/render-screen.tsx';
import { SessionsCard } from './sessions-card.tsx';

const ROUTE = 'GET /api/user/sessions';
const NOTE = /A new device signed in\. If it wasn't you, change your password on X/;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
const here: UserSession = {
  id: 'a1',
  device: 'Chrome on Windows',
  signedInAt: ago(50),
  lastUsedAt: ago(0),
  isCurrent: true,
  isNew: false,
};
const phone: UserSession = {
  ...here,
  id: 'b2',
  device: 'Safari on iPhone',
  lastUsedAt: ago(3),
  isCurrent: false,
};

/** Renders the card on a server that ends sessions. */
function show(sessions: readonly UserSession[], routes: Record<string, unknown> = {}) {
  let left = sessions;
  const api = {
    [ROUTE]: () => left,
    'DELETE /api/user/sessions/b2': () => {
      left = left.filter(({ id }) => id !== 'b2');
      return { ended: true };
    },
    'DELETE /api/user/sessions': () => {
      left = left.filter(({ isCurrent }) => isCurrent);
      return { ended: true };
    },
    ...routes,
  };
  const shown = renderScreen(<SessionsCard />, { api });
  return { deletions: () => shown.routes().filter((route) => route.startsWith('DELETE')) };
}
const rows = async () => within(await screen.findByRole('list')).getAllByRole('listitem');
const endPhone = async () =>
  fireEvent.click(await screen.findByRole('button', { name: /^Log out Safari on iPhone, signed in/ }));

it('the sessions card shows each session’s device, sign-in and last use, and marks this browser', async () => {
  show([here, phone]);
  expect(textsOf(await rows())).toEqual([
    expect.stringMatching(/^Chrome on WindowsThis browserSigned in \w{3} \d/),
    expect.stringMatching(/^Safari on iPhoneSigned in .*Last used 3h agoLog out$/),
  ]);
  expect(screen.queryByText(NOTE)).toBeNull();
});

it('the sessions card with a single session has no button', async () => {
  show([here]);
  await rows();
  expect(screen.queryByRole('button')).toBeNull();
});

it('the sessions card marks a new device and says what to do, but never for this browser', async () => {
  show([here, { ...phone, isNew: true }]);
  expect((await screen.findByText(NOTE)).getAttribute('role')).toBe('status');
  expect(screen.getByText('New')).toBeTruthy();
  cleanup();
  show([{ ...here, isNew: true }, phone]);
  await rows();
  expect(screen.queryByText(NOTE)).toBeNull();
  expect(screen.queryByText('New')).toBeNull();
});

it('the sessions card shows five sessions at first, and all of them after Show all', async () => {
  show([here, ...Array.from({ length: 6 }, (_, index) => ({ ...phone, id: `p${index}` }))]);
  expect(await rows()).toHaveLength(5);
  fireEvent.click(screen.getByRole('button', { name: 'Show all 7' }));
  expect(await rows()).toHaveLength(7);
});

it('ending one session removes it from the sessions card', async () => {
  const { deletions } = show([here, phone]);
  await endPhone();
  await expectToast('Logged Out', 'Safari on iPhone is logged out.');
  await waitFor(async () => expect(await rows()).toHaveLength(1));
  expect(deletions()).toEqual(['DELETE /api/user/sessions/b2']);
});

it('the sessions card ends all other sessions after a confirmation', async () => {
  const { deletions } = show([here, phone]);
  fireEvent.click(await screen.findByRole('button', { name: 'Log out all others' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Log out all others?' }));
  expect(deletions()).toEqual([]);
  fireEvent.click(dialog.getByRole('button', { name: 'Log out' }));
  await expectToast('Logged Out', 'You are signed in only in this browser.');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(async () => expect(await rows()).toHaveLength(1));
  expect(deletions()).toEqual(['DELETE /api/user/sessions']);
});

it('the sessions card shows why ending a session failed and reloads its list', async () => {
  const reason = 'This session has already ended. Reload the page to see your sessions.';
  let isGone = false;
  show([], {
    [ROUTE]: () => (isGone ? [here] : [here, phone]),
    'DELETE /api/user/sessions/b2': () => {
      isGone = true;
      return refuse(404, 'sessions.not_found', reason);
    },
  });
  await endPhone();
  await expectToast('Error', reason);
  await waitFor(async () => expect(await rows()).toHaveLength(1));
});
