import type { OpenIntentResponse } from '#schema/contracts/payments.ts';
import type { OpenedIntent, OwnPeriods } from './payment-terms.ts';

export interface OpenPaymentDependencies {
  readonly openIntent: (input: { callerId: string; payerAddress: string }) => Promise<OpenIntentResponse>;
  readonly listOwnPeriods: (callerId: string) => Promise<OwnPeriods>;
  readonly now: () => number;
}

/** Opens an intent. Reads the user's periods first: if another one appears later, it was paid in the meantime. */
export async function openPayment(
  { callerId, payer }: { readonly callerId: string; readonly payer: string },
  { openIntent, listOwnPeriods, now }: OpenPaymentDependencies,
): Promise<OpenedIntent> {
  const periods = await listOwnPeriods(callerId).catch(() => null);
  const openedAt = now();
  return { response: await openIntent({ callerId, payerAddress: payer }), payer, openedAt, periods };
}
