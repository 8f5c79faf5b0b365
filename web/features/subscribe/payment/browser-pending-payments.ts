import { pageStorage } from '#web/lib/browser/page-storage.ts';
import type { PendingPayment } from './payment-types.ts';
import { createPendingPayments, type PendingPaymentsStore } from './pending-payments.ts';

const memory = new Map<string, PendingPayment>();

/** The signed payments of a user that are stored in this browser. */
export function pendingPaymentsOf(userId: string): PendingPaymentsStore {
  return createPendingPayments({ userId, storage: pageStorage, memory, now: Date.now });
}
