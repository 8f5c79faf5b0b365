import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { adaListed, receipt } from '#web/testing/samples.ts';
import { CompleteStep } from './complete-step.tsx';

const { signature, explorerUrl, callerAddress, platformAddress } = receipt;
const terms = {
  callerAddress,
  platformAddress,
  callerLamports: 450_000_001n,
  platformLamports: 50_000_000n,
  totalLamports: 500_000_001n,
};
const paid = {
  callerId: adaListed.id,
  endDate: '2026-12-12T12:00:00.000Z',
  payment: {
    monthlyFee: '0.5',
    platformFee: '0.05',
    totalAmount: '0.5',
    transactionId: signature,
    explorerUrl,
  },
} as Subscription;

function open(subscription: Subscription, isPaid: boolean) {
  const onDone = vi.fn();
  renderScreen(
    <CompleteStep
      caller={adaListed}
      view={{ step: 'complete', subscription, receipt: isPaid ? { terms, signature, subscription } : null }}
      onDone={onDone}
    />,
  );
  return onDone;
}

afterEach(cleanup);

it("the complete step links to the receipt's page and, in a new tab, to the explorer", () => {
  const onDone = open(paid, true);
  const explorer = screen.getByRole('link', { name: 'Open in a Solana explorer' });
  expect(['href', 'target', 'rel'].map((name) => explorer.getAttribute(name))).toEqual([
    explorerUrl,
    '_blank',
    'noopener noreferrer',
  ]);
  const receiptLink = screen.getByRole('link', { name: 'Payments' });
  expect(receiptLink.getAttribute('href')).toBe(`/payments/${signature}`);
  fireEvent.click(receiptLink);
  expect(onDone).toHaveBeenCalledOnce();
});

it('the complete step shows no receipt for a free subscription', () => {
  open({ ...paid, endDate: null, payment: null }, false);
  expect(screen.queryAllByRole('link')).toEqual([]);
});
