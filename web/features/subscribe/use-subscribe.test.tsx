import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { pendingPaymentsOf } from './payment/pending-payments.ts';
import { signedPayment } from './payment/payment-test-doubles.ts';
import { paymentTracker } from './payment/payment-tracker.ts';
import type { PaymentOutcome } from './payment/payment-types.ts';
import { stubApi } from '#web/testing/fake-api.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { adaProfile, visitor } from '#web/testing/samples.ts';
import { useSubscribe } from './use-subscribe.tsx';

function Page({ monthlyFee }: { monthlyFee: string | null }) {
  const { subscribe, isSubscribing, isPaying, dialog } = useSubscribe();
  return (
    <>
      <button type="button" onClick={() => subscribe({ ...adaProfile, monthlyFee })}>
        Subscribe
      </button>
      <p data-testid="state">{isSubscribing ? 'running' : 'idle'}</p>
      <p data-testid="payment">{isPaying(adaProfile.id) ? 'running' : 'idle'}</p>
      {dialog}
    </>
  );
}

const state = () => screen.getByTestId('state').textContent;

it('isSubscribing is true during the request for a free subscription, not while the dialog is open', async () => {
  let respond: (response: Response) => void = () => undefined;
  stubApi({
    'GET /api/auth/user': visitor,
    'POST /api/subscriptions/free': () => new Promise<Response>((resolve) => (respond = resolve)),
  });
  renderScreen(<Page monthlyFee={null} />);
  fireEvent.click(screen.getByRole('button', { name: 'Subscribe' }));
  const dialog = within(await screen.findByRole('dialog', {}, { timeout: 5_000 }));
  expect(state()).toBe('idle');
  fireEvent.click(await dialog.findByRole('button', { name: 'Subscribe for free' }));
  await waitFor(() => expect(state()).toBe('running'));
  respond(new Response('', { status: 500 }));
  await waitFor(() => expect(state()).toBe('idle'));
});

describe('isPaying', () => {
  const payment = () => screen.getByTestId('payment').textContent;
  const pending = { ...signedPayment, openedAt: Date.now() };

  it('isPaying is true while a payment to that caller runs', async () => {
    stubApi({ 'GET /api/auth/user': visitor });
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

  it('isPaying is true for a payment that was signed before the page was loaded, but only for the same user', async () => {
    stubApi({ 'GET /api/auth/user': visitor, 'GET /api/subscriptions/my': [] });
    pendingPaymentsOf(visitor.id).save(pending);
    renderScreen(<Page monthlyFee="1" />);
    await waitFor(() => expect(payment()).toBe('running'));
    cleanup();
    stubApi({ 'GET /api/auth/user': { ...visitor, id: 'user-2' } });
    renderScreen(<Page monthlyFee="1" />);
    await act(async () => {});
    expect(payment()).toBe('idle');
  });

  it('isPaying is false once the server lists the period that the payment bought', async () => {
    stubApi({
      'GET /api/auth/user': visitor,
      'GET /api/subscriptions/my': [{ payment: { intentId: pending.intent.id } }],
    });
    pendingPaymentsOf(visitor.id).save(pending);
    renderScreen(<Page monthlyFee="1" />);
    await waitFor(() => expect(pendingPaymentsOf(visitor.id).list()).toEqual([]));
    expect(payment()).toBe('idle');
  });
});
