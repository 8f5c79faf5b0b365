import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { refuse, stubApi } from '#web/testing/fake-api.ts';
import { expectToast, renderScreen } from '#web/testing/render-screen.tsx';
import { activeCall } from './dashboard-test-data.ts';
import { EndCallDialog } from './end-call-dialog.tsx';

const ROUTE = `PATCH /api/token-calls/${activeCall.id}/end`;

function open(answer: unknown = { ...activeCall, isActive: false, endPrice: '0.00003' }) {
  const calls = stubApi({ [ROUTE]: answer });
  const onClose = vi.fn();
  renderScreen(
    <EndCallDialog
      call={activeCall}
      price={{ price: '0.000025', at: new Date().toISOString(), source: 'jupiter' }}
      onClose={onClose}
    />,
  );
  return { calls, onClose, dialog: within(screen.getByRole('dialog', { name: 'End your BONK call?' })) };
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('EndCallDialog', () => {
  it('explains which price is recorded, its sources and that ending cannot be undone', () => {
    const { dialog, calls } = open();
    expect(dialog.getByText('+25.0%')).toBeDefined();
    expect(dialog.getByText(/from Jupiter and DexScreener/)).toBeDefined();
    expect(dialog.getByText(/cannot be undone/)).toBeDefined();
    expect(calls).toEqual([]);
  });

  it('[8.38] ends the call only after confirmation', async () => {
    const { dialog, calls, onClose } = open();
    fireEvent.click(dialog.getByRole('button', { name: 'Keep call active' }));
    expect(calls).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: 'End call' }));
    await expectToast('Call Ended', 'BONK ended at $0.00003000, +50.0%.');
    expect(onClose).toHaveBeenCalled();
  });

  it.each([
    [
      'the server’s reason',
      () => refuse(409, 'prices.disagree', 'The price sources disagree.'),
      'The price sources disagree.',
    ],
    [
      'the fallback text',
      () => new Response('', { status: 503 }),
      'Failed to end token call - could not fetch current price',
    ],
  ])('[8.23, 8.27] shows %s when no end price is available', async (_what, answer, text) => {
    const { dialog, onClose } = open(answer);
    fireEvent.click(dialog.getByRole('button', { name: 'End call' }));
    await expectToast('Error', text);
    expect(onClose).not.toHaveBeenCalled();
    expect(dialog.getByRole('button', { name: 'End call' }).getAttribute('aria-busy')).toBeNull();
  });
});
