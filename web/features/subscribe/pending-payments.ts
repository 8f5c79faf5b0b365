import { INTENT_RECONCILE_MS } from '#schema/constants.ts';
import type { SignedPayment } from './payment-types.ts';

/** Keeps signed payments until they are done, across a closed tab, so that nobody pays twice. */
export interface PendingPayments {
  readonly find: (callerId: string) => SignedPayment | null;
  readonly keep: (pending: SignedPayment) => void;
  /** Forgets this payment. Another one to the same caller stays. */
  readonly forget: (pending: SignedPayment) => void;
}

export interface PendingPaymentsOptions {
  readonly userId: string;
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** Takes what the storage refuses, for as long as the page lives. */
  readonly memory: Map<string, SignedPayment>;
  readonly now: () => number;
}

/**
 * The signed payments of one user of this browser.
 *
 * What was signed can only pay what it says, so it may lie in the browser's storage. It is forgotten after a day, by this
 * machine's clock, which may be wrong: that costs nobody a second payment. One that the server got holds up every other
 * to the same caller until the server knows how it ended; one that it never got is sent by nobody once it is forgotten
 * here; and no blockhash lives anywhere near a day.
 */
export function createPendingPayments({
  userId,
  storage,
  memory,
  now,
}: PendingPaymentsOptions): PendingPayments {
  const keyOf = (callerId: string) => `solcallers.payment.${userId}.${callerId}`;
  const look = (key: string) => parse(attempt(() => storage.getItem(key))) ?? memory.get(key) ?? null;

  const forget = ({ callerId, signature }: SignedPayment) => {
    const key = keyOf(callerId);
    if (look(key)?.signature !== signature) return;
    memory.delete(key);
    attempt(() => storage.removeItem(key));
  };

  return {
    find(callerId) {
      const pending = look(keyOf(callerId));
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
  const isWhole =
    typeof value?.signature === 'string' &&
    typeof value.transaction === 'string' &&
    typeof value.openedAt === 'number' &&
    typeof value.intent === 'object';
  return isWhole ? (value as SignedPayment) : null;
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
