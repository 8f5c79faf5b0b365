import { INTENT_RECONCILE_MS } from '#schema/constants.ts';
import type { SignedPayment } from './payment-types.ts';

/** Stores signed payments until they end, so that a closed tab leads to no second payment. */
export interface PendingPayments {
  readonly find: (callerId: string) => SignedPayment | null;
  readonly keep: (pending: SignedPayment) => void;
  /** Removes this payment, but not another one to the same caller. */
  readonly forget: (pending: SignedPayment) => void;
}

export interface PendingPaymentsOptions {
  readonly userId: string;
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** Used while the storage refuses writes. */
  readonly memory: Map<string, SignedPayment>;
  readonly now: () => number;
}

/**
 * The signed payments of one user in this browser.
 *
 * A signed transaction can only pay what it says, so storing it is safe. It is dropped after a day by this machine's
 * clock. A wrong clock causes no second payment: the server blocks another payment to the same caller until it knows how
 * a received one ended, and a payment it never received can't land, because a blockhash expires within minutes.
 */
export function createPendingPayments({
  userId,
  storage,
  memory,
  now,
}: PendingPaymentsOptions): PendingPayments {
  const keyOf = (callerId: string) => `solcallers.payment.${userId}.${callerId}`;
  const read = (key: string) => parse(attempt(() => storage.getItem(key))) ?? memory.get(key) ?? null;

  const forget = ({ callerId, signature }: SignedPayment) => {
    const key = keyOf(callerId);
    if (read(key)?.signature !== signature) return;
    memory.delete(key);
    attempt(() => storage.removeItem(key));
  };

  return {
    find(callerId) {
      const pending = read(keyOf(callerId));
      if (pending === null || now() - pending.openedAt < INTENT_RECONCILE_MS) return pending;
      forget(pending);
      return null;
    },
    keep(pending) {
      const key = keyOf(pending.callerId);
      const isStored = attempt(() => {
        storage.setItem(key, JSON.stringify(pending));
        return true;
      });
      if (isStored) memory.delete(key);
      else memory.set(key, pending);
    },
    forget,
  };
}

function parse(text: string | null | undefined): SignedPayment | null {
  const value = attempt(() => JSON.parse(text ?? 'null') as Partial<SignedPayment> | null);
  const isComplete =
    typeof value?.signature === 'string' &&
    typeof value.transaction === 'string' &&
    typeof value.openedAt === 'number' &&
    typeof value.intent === 'object';
  return isComplete ? (value as SignedPayment) : null;
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
