import { formatSol } from '#schema/rules/money/lamports.ts';
import { composeMessage, describeTime, showPerson } from '../../../shared/plain-text.ts';

interface ReceivedPayment {
  /** The subscriber's public name; null if it isn't public. */
  readonly subscriber: { readonly name: string; readonly handle: string } | null;
  /** The caller's share in lamports. */
  readonly callerLamports: bigint;
  /** End of the paid period, unix ms. */
  readonly endsAt: number;
  readonly earningsUrl: string;
}

/** Writes the message to a caller about a payment. */
export function composePaymentReceivedText(payment: ReceivedPayment): string {
  const { subscriber, callerLamports, endsAt } = payment;
  const head = (nameLength: number) => {
    const payer = subscriber === null ? 'a subscriber' : showPerson(subscriber, nameLength);
    return (
      `You received ${formatSol(callerLamports)} SOL from ${payer}.\n\n` +
      `Their subscription runs until ${describeTime(endsAt)}.`
    );
  };
  return composeMessage({ head, link: payment.earningsUrl });
}
