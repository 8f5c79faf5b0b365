import { INTENT_RECONCILE_MS } from '#schema/constants.ts';
import type { SignedPayment } from './run-payment.ts';

/** Keeps signed payments until they are done, across a closed tab, so that nobody pays twice. */
export interface PendingPayments {
  readonly find: (callerId: string) => SignedPayment | null;
  readonly keep: (pending: SignedPayment) => void;
  readonly forget: (callerId: string) => void;
}

/**
 * The signed payments of one user of this browser.
 *
 * What was signed can only pay what it says, so it may lie in the browser's storage. After a day the
 * server has settled it one way or the other.
 */
export function createPendingPayments({ userId, storage, now }: { readonly userId: string; readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>; readonly now: () => number }): PendingPayments {
  const keyOf = (callerId: string) => `solcallers.payment.${userId}.${callerId}`;
  // Without storage the payment is still kept as long as this page lives.
  const inMemory = new Map<string, SignedPayment>();

  const forget = (callerId: string) => {
    inMemory.delete(callerId);
    attempt(() => storage.removeItem(keyOf(callerId)));
  };

  return {
    find(callerId) {
      const pending = inMemory.get(callerId) ?? parse(attempt(() => storage.getItem(keyOf(callerId))));
      if (pending === null || now() - pending.openedAt < INTENT_RECONCILE_MS) return pending;
      forget(callerId);
      return null;
    },
    keep(pending) {
      inMemory.set(pending.callerId, pending);
      attempt(() => storage.setItem(keyOf(pending.callerId), JSON.stringify(pending)));
    },
    forget,
  };
}

function parse(text: string | null | undefined): SignedPayment | null {
  const value = attempt(() => JSON.parse(text ?? 'null') as Partial<SignedPayment> | null);
  const isWhole = typeof value?.signature === 'string' && typeof value.transaction === 'string' && typeof value.openedAt === 'number' && typeof value.intent === 'object';
  return isWhole ? (value as SignedPayment) : null;
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
