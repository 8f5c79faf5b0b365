import { formatSol } from '#schema/rules/lamports.ts';
import { composeMessage, describeMoment, showPerson } from '../../shared/plain-text.ts';

export interface PaymentToTell {
  /** `null` where the subscriber's name is not public. */
  readonly subscriber: { readonly name: string; readonly handle: string } | null;
  /** What the caller got, in lamports. */
  readonly callerLamports: bigint;
  /** When the period that it bought ends, unix ms. */
  readonly endsAt: number;
  readonly earningsUrl: string;
}

/** That somebody has paid for a period, and what the caller got of it. */
export function composePaymentReceivedText({
  subscriber,
  callerLamports,
  endsAt,
  earningsUrl,
}: PaymentToTell): string {
  const head = (nameLength: number) =>
    [
      `You received ${formatSol(callerLamports)} SOL from ${subscriber === null ? 'a subscriber' : showPerson(subscriber, nameLength)}.`,
      `Their subscription runs until ${describeMoment(endsAt)}.`,
    ].join('\n\n');
  return composeMessage({ head, link: earningsUrl });
}
