import {
  confirmTransaction,
  listOwnPeriods,
  searchPayment,
  openIntent,
  sendTransaction,
} from '#web/api/payments.queries.ts';
import { onRecovery } from '#web/api/connection.ts';
import { openPayment } from './open-payment.ts';
import type { PaymentDependencies, PendingPayments } from './payment-types.ts';

export const openPaymentInBrowser: PaymentDependencies['open'] = (input) =>
  openPayment(input, { openIntent, listOwnPeriods, now: () => Date.now() });

function waitOrRecover(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      stopListening();
      resolve();
    };
    const timer = setTimeout(finish, ms);
    const stopListening = onRecovery(finish);
  });
}

interface BrowserDependencies extends Pick<PaymentDependencies, 'signTransaction'> {
  readonly signAndSendTransaction?: PaymentDependencies['payByWallet'];
  readonly pendingPayments: PendingPayments;
}

export function createPaymentDependencies({
  signTransaction,
  signAndSendTransaction = null,
  pendingPayments,
}: BrowserDependencies): PaymentDependencies {
  return {
    open: openPaymentInBrowser,
    buildPayment: async (input) => (await import('./build-payment.ts')).buildPayment(input),
    signTransaction,
    payByWallet: signAndSendTransaction,
    readSignature: async (input) => (await import('./build-payment.ts')).readSignature(input),
    sendTransaction,
    confirmTransaction,
    searchPayment,
    ...pendingPayments,
    wait: waitOrRecover,
    after: (ms, act) => {
      const timer = setTimeout(act, ms);
      return () => clearTimeout(timer);
    },
    now: () => Date.now(),
  };
}
