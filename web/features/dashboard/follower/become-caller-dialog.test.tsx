import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { DOCUMENT_VERSIONS } from '#schema/constants/people.ts';
import { type FakeRoutes, refuse } from '#web/testing/fake-api.ts';
import { expectToast, renderScreen } from '#web/testing/render-screen.tsx';
import { BecomeCallerDialog } from './become-caller-dialog.tsx';

const ROUTE = 'POST /api/user/become-caller';

async function submit({ onOpenChange }: ReturnType<typeof open>): Promise<void> {
  fireEvent.click(submitButton());
  await waitFor(() => expect(onOpenChange.mock.calls).toEqual([[false]]));
}

function open(api: FakeRoutes = { [ROUTE]: { id: 'user-1', isCaller: true } }) {
  const onOpenChange = vi.fn();
  const { calls, bodies } = renderScreen(<BecomeCallerDialog open onOpenChange={onOpenChange} />, {
    api: { 'GET /api/auth/user': { id: 'user-1' }, ...api },
  });
  return { calls, onOpenChange, bodies: () => bodies(ROUTE) };
}

const submitButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Become a Caller' });
const priceField = () => screen.getByRole<HTMLInputElement>('spinbutton', { name: /Monthly fee/ });
const choosePaid = () => fireEvent.click(screen.getByRole('radio', { name: 'Paid' }));
const type = (value: string) => fireEvent.change(priceField(), { target: { value } });

describe('accepting the terms', () => {
  const ACCEPT = 'POST /api/user/acceptances';
  const newcomer = { 'GET /api/auth/user': { id: 'user-1', mustAcceptTerms: true } };
  const findBox = () => screen.findByRole<HTMLInputElement>('checkbox', { name: /^I have read and accept/ });

  it('BecomeCallerDialog saves that the user accepts the terms before it sends the application', async () => {
    const accepted = { [ACCEPT]: { id: 'user-1', mustAcceptTerms: false } };
    const opened = open({ ...newcomer, ...accepted, [ROUTE]: { id: 'user-1' } });
    const box = await findBox();
    expect(submitButton().disabled).toBe(true);
    fireEvent.click(box);
    await submit(opened);
    const posted = opened.calls.filter(({ route }) => route.startsWith('POST'));
    expect(posted.map(({ route }) => route)).toEqual([ACCEPT, ROUTE]);
    expect(posted[0]?.body).toEqual(DOCUMENT_VERSIONS);
  });

  it('BecomeCallerDialog asks to accept the terms again if they have changed since the page was opened', async () => {
    const users = [{ id: 'user-1' }, { id: 'user-1', mustAcceptTerms: true }];
    open({
      'GET /api/auth/user': () => users.shift(),
      [ROUTE]: () => refuse(409, 'terms.not_accepted', 'Accept the terms first.'),
    });
    await waitFor(() => expect(users).toHaveLength(1));
    fireEvent.click(submitButton());
    expect((await findBox()).checked).toBe(false);
  });

  it('BecomeCallerDialog has no checkbox for the terms if the user has accepted them before', async () => {
    open();
    await screen.findByRole('radio', { name: 'Free' });
    expect(screen.queryByRole('checkbox')).toBeNull();
  });
});

// Specification 4.25, 5.8
it('BecomeCallerDialog is Free by default and sends an empty price', async () => {
  const opened = open();
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Free' }).checked).toBe(true);
  await submit(opened);
  expect(opened.bodies()).toEqual([{ subscriptionPrice: '' }]);
});

// Specification 4.24, 5.1-5.5
it('BecomeCallerDialog requires a fee for Paid, of at least 0.01 in steps of 0.01', () => {
  open();
  choosePaid();
  expect(priceField()).toMatchObject({ type: 'number', step: '0.01', min: '0.01', required: true });
  expect(submitButton().disabled).toBe(true);
  type('0.5');
  expect(submitButton().disabled).toBe(false);
});

// Specification 5.3, 9.8
it.each([
  ['0.009', /^Enter a fee of at least 0\.01 SOL a month\.$/],
  ['-1', /amount in SOL/],
  ['1000001', /at most 1,000,000 SOL/],
])('BecomeCallerDialog shows an error for the fee %s and sends nothing', async (typed, words) => {
  const { bodies } = open();
  choosePaid();
  type(typed);
  fireEvent.click(submitButton());
  await screen.findByText(words);
  expect(priceField().getAttribute('aria-invalid')).toBe('true');
  expect(bodies()).toEqual([]);
});

it('BecomeCallerDialog shows an error for a fee that the browser cannot read as a number', async () => {
  open();
  choosePaid();
  Object.defineProperty(priceField(), 'validity', { value: { badInput: true } });
  fireEvent.input(priceField(), { target: { value: '' } });
  await screen.findByText(/without spaces/);
  expect(submitButton().disabled).toBe(true);
});

// Specification 4.24
it('BecomeCallerDialog sends an empty price after a switch from Paid back to Free', async () => {
  const opened = open();
  choosePaid();
  type('3');
  fireEvent.click(screen.getByRole('radio', { name: 'Free' }));
  await submit(opened);
  expect(opened.bodies()).toEqual([{ subscriptionPrice: '' }]);
});

it('BecomeCallerDialog shows the server’s reason if the application is refused', async () => {
  const { onOpenChange } = open({
    [ROUTE]: () => refuse(409, 'users.already_caller', 'You are already a caller.'),
  });
  fireEvent.click(submitButton());
  await expectToast('Error', 'You are already a caller.');
  expect(onOpenChange).not.toHaveBeenCalled();
});
