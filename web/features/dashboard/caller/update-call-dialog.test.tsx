import { useState } from 'react';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { deliveriesQuery } from '#web/api/telegram.queries.ts';
import { failures } from '#web/testing/fake-api.ts';
import { expectToast, renderScreen } from '#web/testing/render-screen.tsx';
import { activeCall } from '#web/testing/dashboard-samples.ts';
import { UpdateCallDialog } from './update-call-dialog.tsx';

const ROUTE = 'POST /api/telegram/send-update';
const other: TokenCall = { ...activeCall, id: 'call-9', tokenSymbol: 'WIF' };

function Rows() {
  const [call, setCall] = useState<TokenCall | null>(activeCall);
  return (
    <>
      <button type="button" onClick={() => setCall(activeCall)}>
        Reopen
      </button>
      <button type="button" onClick={() => setCall(other)}>
        Another
      </button>
      <UpdateCallDialog open={call !== null} call={call} onOpenChange={() => setCall(null)} />
    </>
  );
}

function Deliveries() {
  const { data } = useInfiniteQuery(deliveriesQuery);
  return data && <p>{data.length} deliveries</p>;
}

const open = (response: unknown = { message: 'Update Sent', recipients: 3, chats: [] }) =>
  renderScreen(<Rows />, { api: { [ROUTE]: response } });

const dialog = (name = 'Send an update on BONK') => within(screen.getByRole('dialog', { name }));
const message = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
const type = (value: string) => fireEvent.change(message(), { target: { value } });
const send = () => dialog().getByRole<HTMLButtonElement>('button', { name: 'Send' });
const expectClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

// Specification 8.39
it('UpdateCallDialog says who gets the update, sends the trimmed text and clears the draft', async () => {
  const { bodies } = open();
  expect(dialog().getByText(/every current subscriber who has connected Telegram/)).toBeDefined();
  type('  Take half off.\n');
  fireEvent.click(send());
  await expectToast('Update Sent', 'Your update was sent to all subscribers via Telegram: 3 recipients.');
  expect(bodies()).toEqual([{ callId: activeCall.id, message: 'Take half off.' }]);
  await expectClosed();
  fireEvent.click(screen.getByRole('button', { name: 'Reopen' }));
  expect(message().value).toBe('');
});

it('UpdateCallDialog closes when the update is sent, even if the list of deliveries doesn’t load', async () => {
  let requests = 0;
  const api = {
    [ROUTE]: { message: 'Update Sent', recipients: 3, chats: [] },
    'GET /api/telegram/deliveries': () => (requests++ === 0 ? [] : new Promise(() => {})),
  };
  renderScreen(
    <>
      <Rows />
      <Deliveries />
    </>,
    { api },
  );
  await screen.findByText('0 deliveries');
  type('Take half off.');
  fireEvent.click(send());
  await expectToast('Update Sent', 'Your update was sent to all subscribers via Telegram: 3 recipients.');
  await expectClosed();
  expect(requests).toBe(2);
});

// Specification 8.39
it.each([
  [1, 'Update Sent', /: 1 recipient\.$/],
  [0, 'Update Saved', /^Saved\. No subscriber gets updates on Telegram yet\.$/],
  [null, 'Update Sent', /via Telegram\.$/],
])('UpdateCallDialog shows the toast for %s recipients', async (recipients, title, words) => {
  open({ message: 'Update Sent', recipients, chats: [] });
  type('Hello');
  fireEvent.click(send());
  await expectToast(title, words);
});

// Specification 5.27
it.each(['', '   \n'])(
  'UpdateCallDialog shows an error for the blank message %j and sends nothing',
  async (typed) => {
    const { bodies } = open();
    type(typed);
    fireEvent.click(send());
    expect((await dialog().findByRole('alert')).textContent).toBe('Please enter an update message');
    expect(message().getAttribute('aria-invalid')).toBe('true');
    expect(bodies()).toEqual([]);
    type('Hello');
    expect(message().getAttribute('aria-invalid')).toBeNull();
  },
);

// Specification 5.28, 9.12
it('UpdateCallDialog counts characters as Telegram does and disables Send above 3896', () => {
  const { bodies } = open();
  expect(dialog().getByText('0/3896')).toBeDefined();
  type(' 🪁 ');
  expect(dialog().getByText('2/3896')).toBeDefined();
  type('x'.repeat(3896));
  expect(dialog().getByText('3896/3896').className).not.toContain('text-loss');
  expect(send().disabled).toBe(false);
  type('x'.repeat(3897));
  expect(dialog().getByText('3897/3896').className).toContain('text-loss');
  expect(send().disabled).toBe(true);
  fireEvent.submit(message());
  expect(bodies()).toEqual([]);
});

it('UpdateCallDialog shows Sending... and sends only once', async () => {
  let response: (value: unknown) => void = () => {};
  const { bodies } = open(() => new Promise((resolve) => (response = resolve)));
  type('Hello');
  fireEvent.click(send());
  const sending = await dialog().findByRole('button', { name: 'Sending...' });
  fireEvent.click(sending);
  response({ message: 'Update Sent', recipients: 1, chats: [] });
  await expectToast('Update Sent');
  expect(bodies()).toHaveLength(1);
});

// Specification 8.28
it.each(failures('calls.already_ended', 'Failed to send update to subscribers'))(
  'UpdateCallDialog shows %s when sending fails, and preserves the text',
  async (_what, response, words) => {
    open(response);
    type('Hello');
    fireEvent.click(send());
    await expectToast('Error', words);
    expect(message().value).toBe('Hello');
  },
);

it('UpdateCallDialog stores a draft for each call', async () => {
  const { bodies } = open();
  type('Half a thought');
  fireEvent.click(dialog().getByRole('button', { name: 'Cancel' }));
  await expectClosed();
  fireEvent.click(screen.getByRole('button', { name: 'Another' }));
  expect(dialog('Send an update on WIF').getByRole<HTMLTextAreaElement>('textbox').value).toBe('');
  fireEvent.click(screen.getByText('Reopen'));
  expect(message().value).toBe('Half a thought');
  expect(bodies()).toEqual([]);
  // Simulate a reload of the page.
  cleanup();
  open();
  expect(message().value).toBe('Half a thought');
});

it('UpdateCallDialog counts the members of the caller’s group as reached', async () => {
  open({ message: 'Update Sent', recipients: 12, chats: [{ kind: 'group', members: 214 }] });
  type('Hello');
  fireEvent.click(send());
  await expectToast('Update Sent', /via Telegram: 1 group of 214, 12 private messages\.$/);
});
