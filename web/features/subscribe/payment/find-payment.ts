import { explainFailure, hasCode, reasonOf } from '#web/api/api-error.ts';
import { asSentence, INACTIVE, isLanded, isTransient } from './payment-failures.ts';
import { isSigned, type PaymentContext, type PaymentOutcome, type PendingPayment } from './payment-types.ts';
import { failure, whenAborted } from './prompt-wallet.ts';

/** Pauses in ms between searches for a payment that the server has confirmed. */
export const ACTIVATE_RETRY_MS: readonly number[] = [
  500, 1_000, 1_500, 2_000, 3_000, 3_000, 4_000, 4_000, 5_000, 5_000,
];
/**
 * Pauses in ms between searches for a payment that the wallet sends. Their sum is longer than the time in which the
 * payment can land: an intent lasts ten minutes, and its transaction may land four minutes later.
 */
export const SEARCH_RETRY_MS: readonly number[] = [
  ...ACTIVATE_RETRY_MS,
  ...Array.from({ length: 9 }, () => 10_000),
  ...Array.from({ length: 25 }, () => 30_000),
];

/** Searches for the intent's payment. It doesn't matter which transaction made it, or what the wallet has returned. */
export async function findPayment(pending: PendingPayment, context: PaymentContext): Promise<PaymentOutcome> {
  const isSearching = !isSigned(pending);
  if (isSearching) context.startStep('confirm', { isSearching });
  else context.startStep('activate');
  let error: unknown = null;
  for (const pause of [...(isSearching ? SEARCH_RETRY_MS : ACTIVATE_RETRY_MS), null]) {
    try {
      const outcome = await search(pending, context);
      if (outcome !== null) return outcome;
      error = null;
    } catch (caught) {
      error = caught;
      if (!isTransient(caught)) break;
    }
    if (pause === null) break;
    await Promise.race([context.wait(pause), whenAborted(context.signal)]);
    if (context.signal.aborted) break;
  }
  const [fallback, comfort] = pending.hasLanded ? [INACTIVE, PAID_ALREADY] : [NOT_FOUND, STARTS_ALONE];
  return failure(`${asSentence(explainFailure(error, fallback))} ${comfort}`, pending);
}

/** `null` while the server has found no payment. @throws if the server doesn't know whether there is one */
export async function search(
  pending: PendingPayment,
  context: PaymentContext,
): Promise<PaymentOutcome | null> {
  try {
    const subscription = await context.searchPayment(pending.intent.id);
    if (subscription === null) return null;
    context.forget(pending);
    return { status: 'complete', subscription };
  } catch (error) {
    if (!isLanded(error)) throw error;
    const reason = reasonOf(error, INACTIVE);
    if (hasCode(error, 'payments.unreadable')) return failure(reason, saveLanded(pending, context));
    const isOver = hasCode(error, 'payments.released') || hasCode(error, 'payments.refunded');
    if (isOver) context.forget(pending);
    return { ...failure(reason, isOver ? null : pending), title: 'Subscription failed' };
  }
}

export function saveLanded<Payment extends PendingPayment>(
  pending: Payment,
  { save }: PaymentContext,
): Payment {
  const landed = { ...pending, hasLanded: true };
  save(landed);
  return landed;
}

const PAID_ALREADY =
  "Your payment is on the chain and is credited automatically, usually within minutes. You don't need to pay again.";
const NOT_FOUND = 'We found no payment from your wallet on Solana yet';
const STARTS_ALONE =
  'If your wallet sends the payment, your subscription starts automatically, usually within two minutes and at the latest within a day.';
