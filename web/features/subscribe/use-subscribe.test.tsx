import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { pendingPaymentsOf } from './payment/pending-payments.ts';
import { signedPayment } from './payment/payment-test-doubles.ts';
import { paymentTracker } from './payment/payment-tracker.ts';
import type { PaymentOutcome } from './payment/payment-types.ts';
import { stubApi } from '#web/testing/fake-api.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { adaProfile, signedInUser } from '#web/testing/samples.ts';
import { useSubscribe } from './use-subscribe.tsx';

function Page({ monthlyFee }: { monthlyFee: string | null }) {
  const { subscribe, isPaying, dialog } = useSubscribe();
  return (
    <>
      <button type="button" onClick={() => subscribe({ ...adaProfile, monthlyFee })}>
        Subscribe
      </button>
      <p data-testid="payment">{isPaying(adaProfile.id) ? 'running' : 'idle'}</p>
      {dialog}
    </>
  );
}

describe('isPaying', () => {
  const payment = () => screen.getByTestId('payment').textContent;
  const pending = { ...signedPayment, openedAt: Date.now() };

  it('isPaying is true while a payment to the caller is running, and false before and after', async () => {
    stubApi({ 'GET /api/auth/user': signedInUser });
    renderScreen(<Page monthlyFee="1" />);
    fireEvent.click(screen.getByRole('button', { name: 'Subscribe' }));
    await screen.findByRole('dialog', {}, { timeout: 5_000 });
    expect(payment()).toBe('idle');
    let end: (outcome: PaymentOutcome) => void = () => undefined;
    const run = paymentTracker.start(adaProfile.id, () => new Promise((resolve) => (end = resolve)));
    await waitFor(() => expect(payment()).toBe('running'));
    end({ status: 'failed', title: 'Payment failed', reason: '', pending: null });
    await run;
    await waitFor(() => expect(payment()).toBe('idle'));
  });

  it('isPaying is false if the stored payment has already bought a period that the server lists', async () => {
    stubApi({
      'GET /api/auth/user': signedInUser,
      'GET /api/subscriptions/my': [{ payment: { intentId: pending.intent.id } }],
    });
    pendingPaymentsOf(signedInUser.id).save(pending);
    renderScreen(<Page monthlyFee="1" />);
    await waitFor(() => expect(pendingPaymentsOf(signedInUser.id).list()).toEqual([]));
    expect(payment()).toBe('idle');
  });
});
