import type { LandedTransaction } from './payment.ts';

export interface RefundTerms {
  readonly reference: string;
  readonly fromAddress: string;
  readonly toAddress: string;
  readonly paymentSlot: number;
}

/**
 * The lamports that a finalized transaction pays back: the paid wallet has sent them, and the paying wallet still has
 * them after the transaction. 0 if the transaction isn't a refund.
 */
export function refundedLamports(
  transaction: LandedTransaction & { readonly slot: number },
  { reference, fromAddress, toAddress, paymentSlot }: RefundTerms,
): bigint {
  const { hasFailed, accounts, signers, slot, transfers, balanceChanges, feePayer, feeLamports } =
    transaction;
  const isForRefund =
    !hasFailed && slot > paymentSlot && accounts.includes(reference) && signers.includes(fromAddress);
  if (!isForRefund) return 0n;
  const sum = (from: string, to: string) =>
    transfers
      .filter(({ source, destination }) => source === from && destination === to)
      .reduce((total, { lamports }) => total + lamports, 0n);
  const sent = sum(fromAddress, toAddress) - sum(toAddress, fromAddress);
  const retained = (balanceChanges.get(toAddress) ?? 0n) + (toAddress === feePayer ? feeLamports : 0n);
  const refunded = sent < retained ? sent : retained;
  return refunded > 0n ? refunded : 0n;
}
