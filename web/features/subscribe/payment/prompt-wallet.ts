import { openingReason, readOtherPayment } from './payment-failures.ts';
import type { OpenedIntent } from './payment-terms.ts';
import type { PaymentContext, PaymentFailure, PendingPayment } from './payment-types.ts';

/** Asks for a reload, because browsers cache a failed import, so a retry would fail again. */
export const NOT_BUILT = "Couldn't create the transaction. Nothing was paid. Reload the page and try again.";
export const SIGNED_IN_OTHER_TAB =
  'You already signed a payment to this caller in another tab. Continue with that one. Nothing else was sent.';

/** Returns the unsigned transaction; `null` if it can't be built. */
export async function startSigning(
  { response, payer, openedAt }: OpenedIntent,
  { buildPayment, startStep }: PaymentContext,
): Promise<Uint8Array | null> {
  startStep('sign', response.signingMs === null ? {} : { signBy: openedAt + response.signingMs });
  try {
    return await buildPayment({
      intent: response.intent,
      payer,
      blockhash: response.result.value.blockhash,
      computeBudget: response.computeBudget,
    });
  } catch {
    return null;
  }
}

export function whenAborted(signal: AbortSignal): Promise<'stopped'> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('stopped');
    else signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
}

export function failure(reason: string, pending: PendingPayment | null = null): PaymentFailure {
  return {
    status: 'failed',
    title: titleOf(pending),
    reason,
    pending,
  };
}

/** A refused intent. If another tab or device pays already, continues with that payment. */
export function failOpening(error: unknown, callerId: string, { save, now }: PaymentContext): PaymentFailure {
  const other = readOtherPayment(error, callerId, now());
  if (other !== null) save(other);
  return failure(openingReason(error), other);
}

function titleOf(pending: PendingPayment | null): PaymentFailure['title'] {
  if (pending === null) return 'Payment failed';
  return pending.hasLanded ? 'Paid, but not active yet' : 'Payment not confirmed yet';
}
