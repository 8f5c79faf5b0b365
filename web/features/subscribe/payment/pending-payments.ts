import { PENDING_PAYMENT_MS } from '#schema/constants/money.ts';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { member } from '#web/lib/browser/member.ts';
import { attempt, pageStorage, type PageStorage } from '#web/lib/browser/page-storage.ts';
import { isSigned, type PendingPayment, type PendingPayments } from './payment-types.ts';

export interface PendingPaymentsStore extends PendingPayments {
  readonly list: () => readonly PendingPayment[];
}

export interface PendingPaymentsOptions {
  readonly userId: string;
  readonly storage: PageStorage;
  readonly now: () => number;
}

/**
 * Stores the unfinished payments of one user in this browser. This is safe, because a signed transaction can only
 * make its own payment. Entries expire after a day.
 * Even with a wrong clock, the user can't pay twice. If the server received the payment, it blocks a second one
 * while the first may still land. If the server never received it, the payment can't land once its blockhash
 * has expired.
 */
export function createPendingPayments({
  userId,
  storage,
  now,
}: PendingPaymentsOptions): PendingPaymentsStore {
  const prefix = `solcallers.payment.${userId}.`;
  const keyOf = (callerId: string) => prefix + callerId;
  const read = (key: string) => parse(storage.getItem(key));

  const forget = (pending: PendingPayment) => {
    const key = keyOf(pending.callerId);
    const saved = read(key);
    if (saved !== null && nameOf(saved) === nameOf(pending)) storage.setItem(key, null);
  };

  const find = (callerId: string) => {
    const pending = read(keyOf(callerId));
    if (pending === null || now() - pending.openedAt < PENDING_PAYMENT_MS) return pending;
    forget(pending);
    return null;
  };

  return {
    find,
    list() {
      const keys = storage.keys().filter((key) => key.startsWith(prefix));
      return keys.map((key) => find(key.slice(prefix.length))).filter((pending) => pending !== null);
    },
    save: (pending) => storage.setItem(keyOf(pending.callerId), JSON.stringify(pending)),
    forget,
  };
}

/** One intent may be signed twice, if the first transaction can't land. */
function nameOf(pending: PendingPayment): string {
  return isSigned(pending) ? pending.signature : pending.intent.id;
}

export function isPeriodOf({ intent }: PendingPayment, { payment }: Pick<Subscription, 'payment'>): boolean {
  return payment?.intentId === intent.id;
}

function parse(text: string | null): PendingPayment | null {
  const value: unknown = attempt(() => JSON.parse(text ?? 'null'));
  return isPending(value) ? value : null;
}

/** An older version of the app may have stored other members. */
function isPending(value: unknown): value is PendingPayment {
  const typeOf = (name: string) => typeof member(value, name);
  const isWhole = typeOf('signature') === typeOf('transaction');
  return isWhole && typeOf('openedAt') === 'number' && typeOf('intent') === 'object';
}

export function pendingPaymentsOf(userId: string): PendingPaymentsStore {
  return createPendingPayments({ userId, storage: pageStorage, now: Date.now });
}
