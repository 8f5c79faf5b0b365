import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { failures, refuse } from '#web/testing/fake-api.ts';
import { expectToast, renderScreen } from '#web/testing/render-screen.tsx';
import { activeCall } from '#web/testing/dashboard-samples.ts';
import { EndCallDialog } from './end-call-dialog.tsx';

const priced = (): TokenCall => ({
  ...activeCall,
  lastPrice: { price: '0.000025', at: new Date().toISOString(), source: 'jupiter' },
});
const ended = { ...activeCall, isActive: false, endPrice: '0.00003' };
const ROUTE = `PATCH /api/token-calls/${activeCall.id}/end`;

function open(response: unknown = ended) {
  const onClose = vi.fn();
  const { calls } = renderScreen(<EndCallDialog open call={priced()} onOpenChange={onClose} />, {
    api: { [ROUTE]: response },
  });
  return { calls, onClose, dialog: within(screen.getByRole('dialog', { name: 'End your BONK call?' })) };
}

it('EndCallDialog explains which price is recorded and that ending cannot be undone', () => {
  const { dialog, calls } = open();
  expect(dialog.getByText('+25.0%')).toBeDefined();
  expect(dialog.getByText(/from Jupiter and DexScreener/)).toBeDefined();
  expect(dialog.getByText(/cannot be undone/)).toBeDefined();
  expect(calls).toEqual([]);
});

// Specification 8.38
it('EndCallDialog ends the call only after confirmation', async () => {
  const { dialog, calls, onClose } = open();
  fireEvent.click(dialog.getByRole('button', { name: 'Keep call active' }));
  expect(calls).toEqual([]);
  fireEvent.click(dialog.getByRole('button', { name: 'End call' }));
  await expectToast('Call Ended', 'BONK ended at $0.00003000, +50.0%.');
  expect(onClose).toHaveBeenCalled();
});

const reason = 'The gain of +50.0% would count as 0%.';

it('EndCallDialog warns before it ends a call whose gain would not count', async () => {
  let isWarned = false;
  const { dialog, calls, onClose } = open(() => {
    if (isWarned) return ended;
    isWarned = true;
    return refuse(409, 'calls.gain_not_counted', reason);
  });
  fireEvent.click(dialog.getByRole('button', { name: 'End call' }));
  expect((await dialog.findByRole('alert')).textContent).toBe(`The call is still active. ${reason}`);
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.click(dialog.getByRole('button', { name: 'End anyway' }));
  await expectToast('Call Ended', 'BONK ended at $0.00003000, +50.0%.');
  expect(calls.map(({ search }) => search)).toEqual(['?onlyIfCounted=true', undefined]);
});

it('EndCallDialog still shows the change of a call that disappears from the list before the response', () => {
  function Ended() {
    const [call, setCall] = useState<TokenCall | null>(priced);
    return (
      <>
        <button onClick={() => setCall(null)}>Leaves the list</button>
        <EndCallDialog open call={call} onOpenChange={vi.fn()} />
      </>
    );
  }
  renderScreen(<Ended />, { api: { [ROUTE]: () => new Promise<Response>(() => {}) } });
  fireEvent.click(screen.getByRole('button', { name: 'End call' }));
  fireEvent.click(screen.getByText('Leaves the list'));
  expect(within(screen.getByRole('dialog')).getByText('+25.0%')).toBeDefined();
  expect(screen.getByRole('button', { name: /Ending/ })).toBeDefined();
});

it('EndCallDialog warns about an uncounted gain in a toast if it was closed before the response', async () => {
  const warning = Promise.withResolvers<Response>();
  function Closable() {
    const [call, setCall] = useState<TokenCall | null>(activeCall);
    return <EndCallDialog open={call !== null} call={call} onOpenChange={() => setCall(null)} />;
  }
  renderScreen(<Closable />, { api: { [ROUTE]: () => warning.promise } });
  fireEvent.click(screen.getByRole('button', { name: 'End call' }));
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  warning.resolve(refuse(409, 'calls.gain_not_counted', reason));
  await expectToast('The call is still active', reason);
});

it.each([
  ['9 minutes ago', 'says', 9, null],
  ['10 minutes ago', 'doesn’t say', 10, null],
  ['9 minutes ago and unranked', 'doesn’t say', 9, 'one_source'],
] as const)(
  'EndCallDialog for a call made %s %s when a gain starts to count',
  (_when, verb, minutes, unrankedReason) => {
    const callTimestamp = new Date(Date.now() - minutes * MINUTE_MS).toISOString();
    renderScreen(
      <EndCallDialog open call={{ ...activeCall, callTimestamp, unrankedReason }} onOpenChange={vi.fn()} />,
    );
    expect(screen.queryByText(/A gain doesn’t count yet/) !== null).toBe(verb === 'says');
  },
);

// Specification 8.23, 8.27
it.each(failures('prices.disagree', 'Failed to end token call - could not fetch current price'))(
  'EndCallDialog shows %s when no end price is available',
  async (_what, response, text) => {
    const { dialog, onClose } = open(response);
    fireEvent.click(dialog.getByRole('button', { name: 'End call' }));
    await expectToast('Error', text);
    expect(onClose).not.toHaveBeenCalled();
    expect(dialog.getByRole('button', { name: 'End call' }).getAttribute('aria-busy')).toBeNull();
  },
);
