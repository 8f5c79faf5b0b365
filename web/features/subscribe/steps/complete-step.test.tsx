import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { stubApi } from '#web/testing/fake-api.ts';
import { expectNewTab, hrefOf } from '#web/testing/find-in-page.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { adaListed, receipt, signedInUser } from '#web/testing/samples.ts';
import { CompleteStep } from './complete-step.tsx';

const { signature, explorerUrl } = receipt;
const paid = {
  callerId: adaListed.id,
  endDate: '2026-12-12T10:00:00.000Z',
  payment: {
    days: 30,
    monthlyFee: '0.5',
    platformFee: '0.05',
    totalAmount: '0.500000001',
    transactionId: signature,
    explorerUrl,
  },
} as Subscription;

function open(subscription: Subscription, user = signedInUser) {
  stubApi({ 'GET /api/auth/user': user });
  const onDone = vi.fn();
  renderScreen(<CompleteStep caller={adaListed} view={{ step: 'complete', subscription }} onDone={onDone} />);
  return onDone;
}

it("the complete step links to the receipt's page and, in a new tab, to the explorer", () => {
  const onDone = open(paid);
  expectNewTab('Open in a Solana explorer', explorerUrl);
  expect(hrefOf('View receipt')).toBe(`/payments/${signature}`);
  fireEvent.click(screen.getByRole('link', { name: 'View receipt' }));
  expect(onDone).toHaveBeenCalledOnce();
});

it('the complete step shows the bought period and its price, and links to the calls', () => {
  const onDone = open(paid);
  const rows = [...document.querySelectorAll('dt')].map(
    (term) => `${term.textContent}: ${term.nextElementSibling?.textContent}`,
  );
  expect(rows).toEqual([
    "You bought: 30 days of Ada Byron's active calls",
    expect.stringMatching(/^Access until: .*12.*2026/),
    'You paid: 0.500000001 SOL',
  ]);
  expect(hrefOf('See their calls')).toBe(`/caller/${adaListed.id}`);
  fireEvent.click(screen.getByRole('link', { name: 'See their calls' }));
  expect(onDone).toHaveBeenCalledOnce();
});

it('the complete step shows no receipt for a free subscription', () => {
  open({ ...paid, endDate: null, payment: null });
  expect(screen.queryByText('Receipt')).toBeNull();
  expect(document.querySelectorAll('dt')).toHaveLength(0);
  expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual(['See their calls']);
});

it('the complete step suggests connecting Telegram unless it is connected', async () => {
  const suggestion = /^Connect Telegram/;
  open(paid);
  expect(screen.getByText(suggestion)).toBeTruthy();
  cleanup();
  open(paid, { ...signedInUser, telegramConnected: true });
  await waitFor(() => expect(screen.queryByText(suggestion)).toBeNull());
});
