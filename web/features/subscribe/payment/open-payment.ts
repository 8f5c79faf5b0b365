import type { OpenIntentBody, OpenIntentResponse, PaymentIntent } from '#schema/contracts/payments.ts';
import type { OpenedIntent, OwnPeriods } from './payment-terms.ts';

export interface OpenPaymentDependencies {
  readonly openIntent: (input: OpenIntentBody) => Promise<OpenIntentResponse>;
  readonly listOwnPeriods: (callerId: string) => Promise<OwnPeriods>;
  readonly now: () => number;
}

export interface OpenInput {
  readonly callerId: string;
  readonly payer: string;
  /** The terms on screen, which the new intent replaces. */
  readonly shown?: Pick<PaymentIntent, 'id' | 'days'> | null;
}

/** Opens an intent. Reads the user's periods first: if another one appears later, it was paid in the meantime. */
export async function openPayment(
  { callerId, payer, shown = null }: OpenInput,
  { openIntent, listOwnPeriods, now }: OpenPaymentDependencies,
): Promise<OpenedIntent> {
  const periods = await listOwnPeriods(callerId).catch(() => null);
  const openedAt = now();
  const terms = shown && { days: shown.days, replaces: shown.id };
  return {
    response: await openIntent({ callerId, payerAddress: payer, ...terms }),
    payer,
    openedAt,
    periods,
  };
}
