import type { OpenIntentBody, OpenIntentResponse, PaymentIntent } from '#schema/contracts/payments.ts';
import { WEEK_DAYS } from '#schema/rules/money/lengths.ts';
import { hasCode } from '#web/api/api-error.ts';
import { lastPaymentIn, withLength, type OpenedIntent, type OwnPeriods } from './payment-terms.ts';

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

/**
 * Opens an intent. Reads the user's periods first: if another one appears later, it was paid in the meantime. The first
 * intent is for a month, or for a week if a month would end too far ahead. It shows the length that the user bought last.
 */
export async function openPayment(
  { callerId, payer, shown = null }: OpenInput,
  { openIntent, listOwnPeriods, now }: OpenPaymentDependencies,
): Promise<OpenedIntent> {
  const periods = await listOwnPeriods(callerId).catch(() => null);
  const openedAt = now();
  const open = async (terms: Pick<OpenIntentBody, 'days' | 'replaces'>): Promise<OpenedIntent> => ({
    response: await openIntent({ callerId, payerAddress: payer, ...terms }),
    payer,
    openedAt,
    periods,
  });
  if (shown) return open({ days: shown.days, replaces: shown.id });
  const opened = await open({}).catch((error: unknown) => {
    if (!hasCode(error, 'payments.too_far_ahead')) throw error;
    return open({ days: WEEK_DAYS }).catch(() => Promise.reject(error));
  });
  const lastDays = lastPaymentIn(periods)?.days;
  const offer = opened.response.lengths.find(({ days }) => days === lastDays);
  return offer ? withLength(opened, offer) : opened;
}
