import { formatSol } from '#schema/rules/lamports.ts';
import { composeMessage, describeMoment, showPerson } from '../../shared/plain-text.ts';

export interface PaymentToTell {
  /** Null if the subscriber's name is not public. */
  readonly subscriber: { readonly name: string; readonly handle: string } | null;
  /** The caller's share in lamports. */
  readonly callerLamports: bigint;
  /** End of the paid period, unix ms. */
  readonly endsAt: number;
  readonly earningsUrl: string;
}

/** The message to a caller about a payment. */
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
