import type { OpenIntentResponse } from '#schema/contracts/payments.ts';
import { hasCode, reasonOf } from '#web/api/api-error.ts';
import { isPaidByOther } from './payment-failures.ts';
import type { OpenedIntent, OwnPeriods, OtherPayment } from './payment-terms.ts';

export interface OpenPaymentDependencies {
  readonly openIntent: (input: { callerId: string; payerAddress: string }) => Promise<OpenIntentResponse>;
  readonly listOwnPeriods: (callerId: string) => Promise<OwnPeriods>;
  readonly now: () => number;
}

/**
 * Opens an intent, or reports that another payment to this caller is in progress. Reads the user's periods
 * first: if another period appears later, it was paid in the meantime.
 */
export async function openPayment(
  { callerId, payer }: { readonly callerId: string; readonly payer: string },
  { openIntent, listOwnPeriods, now }: OpenPaymentDependencies,
): Promise<OpenedIntent | OtherPayment> {
  const periods = await listOwnPeriods(callerId).catch(() => null);
  const openedAt = now();
  try {
    return { response: await openIntent({ callerId, payerAddress: payer }), payer, openedAt, periods };
  } catch (error) {
    if (isPaidByOther(error)) {
      return { reason: reasonOf(error, ''), periods, isUnreadable: hasCode(error, 'payments.unreadable') };
    }
    throw error;
  }
}

export function isOpened(opening: OpenedIntent | OtherPayment): opening is OpenedIntent {
  return 'response' in opening;
}
