import type { Rejection } from '../../../ports/chain.ts';
import { MAX_UNUSED_INTENTS } from '#schema/constants/money.ts';
import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import { formatSol } from '#schema/rules/money/lamports.ts';
import { AppError } from '../../../app/errors.ts';
import type { PaymentRefusal } from './ledger.repository.ts';

export const createTooManyUnusedError = ({ waitMs }: { waitMs: number }) => {
  const minutes = Math.ceil(waitMs / MINUTE_MS);
  return new AppError({
    code: 'payments.too_many_unused',
    message:
      `You started ${MAX_UNUSED_INTENTS} payments within an hour without paying. Nothing was charged. ` +
      `Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    retryAfterSeconds: Math.ceil(waitMs / SECOND_MS),
  });
};

/** Why a transaction that names an intent doesn't count (yet). */
export type LandedRefusal = PaymentRefusal | 'payments.unreadable' | 'payments.released' | 'payments.pending';

export function createLandedError(code: LandedRefusal): AppError {
  const { message } = new AppError({ code });
  const isOpen =
    code === 'payments.unreadable' || code === 'payments.released' || code === 'payments.pending';
  if (isOpen) return new AppError({ code });
  return new AppError({
    code,
    message:
      `A transaction on the chain names your payment to this caller, but starts no subscription. ${message} ` +
      "If money left your wallet, don't pay again: we review every payment that we or the caller received. " +
      'Otherwise, try again in 15 minutes.',
  });
}

export const createUnderRentError = (recipient: 'caller' | 'platform', missingLamports: bigint) =>
  new AppError({
    code: 'payments.amount_under_rent',
    message:
      recipient === 'caller'
        ? "Solana would reject a payment at this fee: it would leave the caller's payout wallet below Solana's " +
          `minimum balance. The caller can add at least ${formatSol(missingLamports)} SOL to that wallet or raise the fee.`
        : `Solana would reject a payment at this fee: the platform's share falls ${formatSol(missingLamports)} SOL ` +
          `short of Solana's minimum balance. The caller can raise the fee.`,
  });

export function createRejectedByChainError({ reason, detail }: Rejection): AppError {
  switch (reason) {
    case 'blockhash_expired':
      return new AppError({
        code: 'payments.blockhash_expired',
        message: 'Failed to send transaction: it took too long to sign. Nothing was paid; press Pay again.',
      });
    case 'insufficient_funds':
      return new AppError({
        code: 'payments.insufficient_funds',
        message:
          'Failed to send transaction: the wallet has too little SOL for this payment and the network fee. ' +
          'Nothing was paid. Add SOL or use another wallet.',
      });
    case 'other':
      return new AppError({
        code: 'payments.rejected_by_chain',
        message: `Failed to send transaction: ${detail}`,
      });
  }
}

/** The transaction may have arrived, so a second payment could make the user pay twice. */
export const createSendTimedOutError = (cause: unknown) =>
  new AppError({
    code: 'chain.unavailable',
    message:
      'Failed to send transaction: the Solana network did not respond, so the payment may be on its way. We keep ' +
      'sending it until it goes through or expires. Do not pay again yet. If the payment goes through, your subscription starts ' +
      'automatically.',
    cause,
  });
