import { MAX_SILENT_DAYS } from '#schema/constants.ts';
import { formatSol } from '#schema/rules/money/lamports.ts';
import { composeMessage, describeTime, showPerson } from '../../../shared/plain-text.ts';

interface PublicPerson {
  readonly name: string;
  readonly handle: string;
}

interface ReceivedPayment {
  /** The subscriber's public name; null if it isn't public. */
  readonly subscriber: PublicPerson | null;
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

interface RefundedPayment {
  readonly caller: PublicPerson;
  readonly lamports: bigint;
  /** True if the caller's whole share was paid back, which ends the period. */
  readonly isFull: boolean;
  readonly receiptUrl: string;
}

/** Writes the message to a subscriber about a refund. */
export function composePaymentRefundedText(refund: RefundedPayment): string {
  const { caller, lamports, isFull } = refund;
  const head = (nameLength: number) =>
    `You received a refund of ${formatSol(lamports)} SOL from ${showPerson(caller, nameLength)}, in the wallet that you paid from.\n\n` +
    (isFull
      ? 'The period that you paid for has ended. Without another one, so has your access to the caller’s calls and chats.'
      : 'The period that you paid for stays as it is.');
  return composeMessage({ head, link: refund.receiptUrl });
}

interface Silence {
  readonly caller: PublicPerson;
  /** The caller's last activity, unix ms. */
  readonly since: number;
  /** The end of the recipient's paid time, unix ms. Null if the recipient is the caller. */
  readonly endsAt: number | null;
  readonly profileUrl: string;
}

const RULE = `by a day for each silent day, at most ${MAX_SILENT_DAYS}`;

/** Writes the message about a silence that begins, to a subscriber or to the caller. */
export function composeSilenceText({ caller, since, endsAt, profileUrl }: Silence): string {
  const head = (nameLength: number) =>
    endsAt === null
      ? `Since ${describeTime(since)}, you haven't opened, updated or ended a call.\n\n` +
        `Your paid subscriptions are extended ${RULE}.`
      : `Since ${describeTime(since)}, ${showPerson(caller, nameLength)} hasn't opened, updated or ended a call.\n\n` +
        `Your subscription is extended ${RULE}. It now runs until ${describeTime(endsAt)}.`;
  return composeMessage({ head, link: profileUrl });
}
