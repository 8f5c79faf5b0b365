import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { dashboardApi, subscriber } from '#web/testing/dashboard-samples.ts';
import { openApp } from '#web/testing/render-app.tsx';

// In accessible names, jsdom puts a space after a <bdi>.
const GREETING = /^Welcome, Ada ?!$/;

/** Opens the dashboard from Recent Calls, so that there is a page to go back to. */
async function open() {
  const { router } = openApp('/recent-calls', {
    ...dashboardApi,
    'GET /api/auth/user': subscriber,
    'GET /api/token-calls/ended': [],
  });
  fireEvent.click(await screen.findByRole('link', { name: 'Dashboard' }));
  await screen.findByRole('heading', { level: 1, name: GREETING });
  const { history } = router;
  return {
    history,
    path: () => history.location.pathname,
    back: () => act(() => history.back()),
    forward: () => act(() => history.forward()),
  };
}

type Opened = Awaited<ReturnType<typeof open>>;

async function openDialog({ history }: Opened) {
  fireEvent.click(await screen.findByRole('button', { name: 'Apply' }));
  await screen.findByRole('dialog', { name: 'Become a Caller' });
  await waitFor(() => expect(history.location.state.dialog).toBe(true));
}

const expectNoDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

it('a dialog stays open if it opens right after another dialog has closed', async () => {
  const page = await open();
  await openDialog(page);
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  fireEvent.click(screen.getByRole('button', { name: 'Apply', hidden: true }));
  await screen.findByRole('dialog', { name: 'Become a Caller' });
  page.back();
  await expectNoDialog();
  expect(page.path()).toBe('/dashboard');
});

it('Back from a page that was opened from a dialog skips the dialog’s entry', async () => {
  const page = await open();
  await openDialog(page);
  await act(() => page.history.push('/recent-calls'));
  await screen.findByRole('heading', { level: 1, name: 'Recent Calls' });
  page.back();
  await screen.findByRole('heading', { level: 1, name: GREETING });
  await waitFor(() => expect(page.history.location.state.dialog).toBeUndefined());
  expect(screen.queryByRole('dialog')).toBeNull();
  page.back();
  expect(page.path()).toBe('/recent-calls');
});
