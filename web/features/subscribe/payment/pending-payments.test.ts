import { describe, expect, it } from 'vitest';
import { PENDING_PAYMENT_MS } from '#schema/constants/money.ts';
import { createPageStorage } from '#web/lib/browser/page-storage.ts';
import { blockedStorage, fakeStorage } from '#web/testing/fake-storage.ts';
import { createPaymentTracker } from './payment-tracker.ts';
import { signedPayment as pending, subscription } from './payment-test-doubles.ts';
import { createPendingPayments } from './pending-payments.ts';
import type { PaymentOutcome } from './payment-types.ts';

const open = (
  storage: Parameters<typeof createPendingPayments>[0]['storage'],
  { userId = 'user-1', now = 2_000 } = {},
) => createPendingPayments({ userId, storage, now: () => now });

it('a pending payment is found again by its user and caller after the page was closed', () => {
  const storage = fakeStorage();
  open(storage).save(pending);
  expect(open(storage).find('caller-1')).toEqual(pending);
  expect(open(storage).find('caller-2')).toBeNull();
  expect(open(storage, { userId: 'user-2' }).find('caller-1')).toBeNull();
});

it('a pending payment is removed when it ends or is a day old', () => {
  const storage = fakeStorage();
  const payments = open(storage);
  payments.save(pending);
  payments.forget(pending);
  expect(payments.find('caller-1')).toBeNull();
  payments.save(pending);
  expect(open(storage, { now: 1_000 + PENDING_PAYMENT_MS }).find('caller-1')).toBeNull();
  expect(storage.values.size).toBe(0);
});

it('removing an older pending payment doesn’t remove a newer pending payment from another tab', () => {
  const storage = fakeStorage();
  const later = { ...pending, signature: '4'.repeat(87) };
  open(storage).save(pending);
  open(storage).save(later);
  open(storage).forget(pending);
  expect(open(storage).find('caller-1')).toEqual(later);
});

it('the list of pending payments has only the user’s own payments of the last day', () => {
  const storage = fakeStorage();
  open(storage).save(pending);
  open(storage).save({ ...pending, callerId: 'caller-3' });
  open(storage, { userId: 'user-2' }).save({ ...pending, callerId: 'caller-2' });
  storage.setItem('solcallers.wallet', 'phantom');
  const listed = (now: number) => open(storage, { now }).list();
  expect(listed(2_000).map(({ callerId }) => callerId)).toEqual(['caller-1', 'caller-3']);
  expect(listed(1_000 + PENDING_PAYMENT_MS)).toEqual([]);
});

it('a pending payment that one tab removes is removed in every tab', () => {
  const storage = fakeStorage();
  const here = open(storage);
  here.save(pending);
  open(storage).forget(pending);
  expect(here.find('caller-1')).toBeNull();
});

it.each(['not json', '{}', 'null', '[]', '{"signature":1}'])(
  'a pending payment stored as the invalid text %s is ignored',
  (text) => {
    const storage = fakeStorage();
    storage.setItem('solcallers.payment.user-1.caller-1', text);
    expect(open(storage).find('caller-1')).toBeNull();
  },
);

it('a pending payment stays in memory when the browser blocks its storage', () => {
  const storage = createPageStorage(blockedStorage);
  open(storage).save(pending);
  expect(open(storage).list()).toEqual([pending]);
  expect(open(storage, { userId: 'user-2' }).find('caller-1')).toBeNull();
  open(storage).forget(pending);
  expect(open(storage).find('caller-1')).toBeNull();
});

describe('the payment tracker', () => {
  const outcome: PaymentOutcome = { status: 'failed', title: 'Payment failed', reason: '', pending: null };

  it('the payment tracker runs one payment per caller at a time and reports its steps', async () => {
    const tracker = createPaymentTracker();
    const states: (string | undefined)[] = [];
    tracker.subscribe(() => {
      const run = tracker.find('caller-1');
      states.push(run?.status === 'running' ? run.progress.step : run?.status);
    }, 'caller-1');
    let finish = (_outcome: PaymentOutcome) => {};
    const first = tracker.start('caller-1', ({ onProgress }) => {
      onProgress({ step: 'sign', isSlow: false });
      return new Promise((resolve) => (finish = resolve));
    });
    expect(await tracker.start('caller-1', async () => outcome)).toBeNull();
    tracker.clear('caller-1');
    finish(outcome);
    expect(await first).toBe(outcome);
    tracker.clear('caller-1');
    expect(states).toEqual(['intent', 'sign', 'ended', undefined]);
  });

  it('the payment tracker always stores a failed payment, but a completed one only while a view shows the caller', async () => {
    const tracker = createPaymentTracker();
    tracker.subscribe(() => {}, 'caller-2');
    expect(tracker.isShown('caller-1')).toBe(false);
    await tracker.start('caller-1', async () => outcome);
    expect(tracker.find('caller-1')).toEqual({ status: 'ended', outcome });
    const success = { status: 'complete', subscription } satisfies PaymentOutcome;
    await tracker.start('caller-1', async () => success);
    expect(tracker.find('caller-1')).toBeNull();
    const close = tracker.subscribe(() => {}, 'caller-1');
    await tracker.start('caller-1', async () => success);
    expect(tracker.find('caller-1')).toEqual({ status: 'ended', outcome: success });
    close();
    expect(tracker.isShown('caller-1')).toBe(false);
  });

  it('the payment tracker stores no outcome when the payment throws', async () => {
    const tracker = createPaymentTracker();
    await expect(tracker.start('caller-1', () => Promise.reject(new Error('bug')))).rejects.toThrow('bug');
    expect(tracker.find('caller-1')).toBeNull();
  });

  it('the payment tracker stops waiting for the wallet on request', async () => {
    const tracker = createPaymentTracker();
    const run = tracker.start(
      'caller-1',
      ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(outcome))),
    );
    tracker.stopWaiting('caller-2');
    expect(tracker.find('caller-1')?.status).toBe('running');
    tracker.stopWaiting('caller-1');
    expect(await run).toBe(outcome);
  });
});
