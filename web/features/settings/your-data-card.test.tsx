import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useQuery } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { type FakeRoutes, refuse } from '#web/testing/fake-api.ts';
import { hrefOf } from '#web/testing/find-in-page.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { subscriber as user } from '#web/testing/dashboard-samples.ts';
import { YourDataCard } from './your-data-card.tsx';

const ROUTE = 'POST /api/user/deletion';

function openDialog(api: FakeRoutes, isCaller = false) {
  const { calls } = renderScreen(<YourDataCard user={{ ...user, isCaller }} />, {
    api: { 'GET /api/auth/user': user, ...api },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Delete my account' }));
  return calls;
}

const confirm = async () => {
  const field = await screen.findByRole('textbox', { name: `Type ${user.twitterHandle} to confirm` });
  fireEvent.change(field, { target: { value: user.twitterHandle } });
  fireEvent.click(screen.getAllByRole('button', { name: 'Delete my account' }).at(-1) as HTMLElement);
};

it('a failed data export shows the reason and saves no file', async () => {
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  renderScreen(<YourDataCard user={user} />, {
    api: { 'GET /api/user/export': () => refuse(429, 'account.too_many_exports', 'Try again in an hour.') },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Export my data' }));
  expect(await screen.findByText('Try again in an hour.')).toBeDefined();
  expect(click).not.toHaveBeenCalled();
});

it('the card of a caller with a scheduled deletion shows its date and can cancel it', async () => {
  let deletesAt: string | undefined;
  const fetched = () => ({ ...user, isCaller: true, ...(deletesAt !== undefined && { deletesAt }) });
  const Shown = () => {
    const { data = fetched() } = useQuery(currentUserQuery);
    return data && <YourDataCard user={data} />;
  };
  renderScreen(<Shown />, {
    api: {
      'GET /api/auth/user': fetched,
      [ROUTE]: () => {
        deletesAt = '2026-12-12T10:04:00.000Z';
        return { deletesAt };
      },
      'DELETE /api/user/deletion': () => {
        deletesAt = undefined;
        return fetched();
      },
    },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Delete my account' }));
  await confirm();
  const note = await screen.findByRole('note');
  expect(note.textContent).toMatch(/^Your account will be deleted on Dec 12, 2026, .*Nobody can subscribe/);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(hrefOf('Your last receipt')).toBe('/api/payments/earnings.csv');
  fireEvent.click(screen.getByRole('button', { name: 'Keep my account' }));
  expect(await screen.findByRole('button', { name: 'Delete my account' })).toBeDefined();
});

it('the dialog to delete the account stays open and lists the open calls that block a deletion', async () => {
  openDialog({ [ROUTE]: () => refuse(409, 'account.open_calls', 'End your open calls first: WIF.') }, true);
  await confirm();
  expect((await screen.findByText('End your open calls first: WIF.')).getAttribute('role')).toBe('alert');
  expect(screen.getByText(/stay in the record under "Deleted caller"/)).toBeDefined();
  expect(screen.getByText(/your record continues under your name. A suspension stays/)).toBeDefined();
});

it('deleting the account after an old sign-in opens a link to sign in again that returns to the card', async () => {
  openDialog({ [ROUTE]: () => refuse(403, 'auth.fresh_sign_in_needed', 'Sign in again.') });
  await confirm();
  const dialog = within(await screen.findByRole('dialog', { name: 'Sign in again' }));
  const link = dialog.getByRole('link', { name: 'Sign in again' });
  expect(link.getAttribute('href')).toContain(encodeURIComponent('#your-data'));
  expect(document.activeElement).toBe(link);
  expect(dialog.getByText(/^To delete your account, sign in again/)).toBeDefined();
});

it('the dialog to delete the account shows no earlier error after it was cancelled and reopened', async () => {
  openDialog({ [ROUTE]: () => refuse(409, 'account.open_calls', 'End your open calls first: WIF.') });
  await confirm();
  await screen.findByText('End your open calls first: WIF.');
  fireEvent.click(screen.getByRole('button', { name: 'Keep it' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  fireEvent.click(screen.getByRole('button', { name: 'Delete my account' }));
  await screen.findByRole('dialog', { name: 'Delete your account?' });
  expect(screen.queryByText('End your open calls first: WIF.')).toBeNull();
});
