import { confirmTransaction, openIntent, sendTransaction } from '#web/api/payments.queries.ts';
import { claimSubscription } from '#web/api/subscriptions.queries.ts';
import type { PendingPayments } from './pending-payments.ts';
import type { PaymentDependencies } from './run-payment.ts';

/** What a payment needs in the browser. What brings web3.js comes when it is called. */
export function createPaymentDependencies({ signTransaction, pendingPayments }: { readonly signTransaction: PaymentDependencies['signTransaction']; readonly pendingPayments: PendingPayments }): PaymentDependencies {
  return {
    openIntent,
    buildPayment: async (input) => (await import('./build-payment.ts')).buildPayment(input),
    signTransaction,
    readSignature: async (signed) => (await import('./build-payment.ts')).readSignature(signed),
    sendTransaction,
    confirmTransaction,
    claimSubscription,
    find: pendingPayments.find,
    keep: pendingPayments.keep,
    forget: pendingPayments.forget,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    now: () => Date.now(),
  };
}
