import type { LandedTransaction } from './payment.ts';

export interface RefundTerms {
  readonly reference: string;
  /** The payment's payout wallet and the wallets that the caller has proven. */
  readonly fromAddresses: readonly string[];
  readonly toAddress: string;
  readonly paymentSlot: number;
}

/**
 * The lamports that a finalized transaction pays back: wallets of the caller have sent them, and the paying wallet still
 * has them after the transaction. 0 if the transaction isn't a refund.
 */
export function refundedLamports(
  transaction: LandedTransaction & { readonly slot: number },
  { reference, fromAddresses, toAddress, paymentSlot }: RefundTerms,
): bigint {
  const { hasFailed, accounts, signers, slot, transfers, balanceChanges, feePayer, feeLamports } =
    transaction;
  if (hasFailed || slot <= paymentSlot || !accounts.includes(reference)) return 0n;
  const isCallers = (address: string) =>
    address !== toAddress && fromAddresses.includes(address) && signers.includes(address);
  const sent = transfers.reduce((total, { source, destination, lamports }) => {
    if (destination === toAddress && isCallers(source)) return total + lamports;
    return source === toAddress && isCallers(destination) ? total - lamports : total;
  }, 0n);
  const retained = (balanceChanges.get(toAddress) ?? 0n) + (toAddress === feePayer ? feeLamports : 0n);
  const refunded = sent < retained ? sent : retained;
  return refunded > 0n ? refunded : 0n;
}

interface PaidBackPayment {
  readonly callerLamports: bigint;
  readonly totalLamports: bigint;
  /** The sum of all transfers that pay the payment back. */
  readonly paidBack: bigint;
  /** The subscriber has asked for the refund. */
  readonly isAsked: boolean;
}

const atLeastZero = (lamports: bigint): bigint => (lamports > 0n ? lamports : 0n);

/**
 * `left`: what is still to be paid back until the period ends. Asked for, that is the caller's share. Otherwise it's the
 * whole amount, so that nobody loses access at their own cost. `tooMuch`: what was paid back beyond that.
 */
export function refundBalance(payment: PaidBackPayment) {
  const { callerLamports, totalLamports, paidBack, isAsked } = payment;
  const goal = isAsked ? callerLamports : totalLamports;
  return {
    left: atLeastZero(goal - paidBack),
    tooMuch: atLeastZero(paidBack - goal),
    earned: atLeastZero(callerLamports - paidBack),
  };
}
