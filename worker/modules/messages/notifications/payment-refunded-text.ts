import { formatSol } from '#schema/rules/money/lamports.ts';
import { composeMessage, showPerson } from '../../../shared/plain-text.ts';

interface RefundedPayment {
  readonly caller: { readonly name: string; readonly handle: string };
  readonly lamports: bigint;
  /** True if the caller's whole share was paid back, which ends the period. */
  readonly isFull: boolean;
  readonly receiptUrl: string;
}

/** Writes the message to a subscriber about a refund. */
export function composePaymentRefundedText({
  caller,
  lamports,
  isFull,
  receiptUrl,
}: RefundedPayment): string {
  const head = (nameLength: number) =>
    `You received a refund of ${formatSol(lamports)} SOL from ${showPerson(caller, nameLength)}, in the wallet that you paid from.\n\n` +
    (isFull ? 'The period that you paid for has ended.' : 'The period that you paid for stays as it is.');
  return composeMessage({ head, link: receiptUrl });
}
