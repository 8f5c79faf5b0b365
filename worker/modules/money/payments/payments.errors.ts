import type { Rejection } from '../../../ports/chain.ts';
import { formatSol } from '#schema/rules/money/lamports.ts';
import { WEEK_DAYS, type PeriodDays, type Shortfall } from '#schema/rules/money/lengths.ts';
import { AppError } from '../../../app/errors.ts';
import type { PaymentRefusal } from './ledger.repository.ts';

/** Names the intent of another payment, so that the page can search for that payment. */
export const createOtherPaymentError = (
  code: 'payments.already_sent' | 'payments.intent_paid' | 'payments.unreadable',
  intentId: string | null,
) => new AppError({ code, details: { intentId } });

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

export function createUnderRentError({ recipient, lamports }: Shortfall, days: PeriodDays): AppError {
  const missing = `${formatSol(lamports)} SOL`;
  const remedies = [
    ...(recipient === 'caller' ? [`add at least ${missing} to that wallet`] : []),
    ...(days === WEEK_DAYS ? [`stop selling ${WEEK_DAYS} days`] : []),
    'raise the fee',
  ];
  const cause =
    recipient === 'caller'
      ? "it would leave the caller's payout wallet below Solana's minimum balance"
      : `the platform's share falls ${missing} short of Solana's minimum balance`;
  return new AppError({
    code: 'payments.amount_under_rent',
    message:
      `Solana would reject a payment for ${days} days at this fee: ${cause}. ` +
      `The caller can ${remedies.join(' or ')}.`,
  });
}

export const createLengthError = (days: PeriodDays, lengths: readonly PeriodDays[]): AppError =>
  new AppError({
    code: 'payments.length_not_offered',
    message: `This caller doesn't sell ${days} days now. Nothing was charged. Choose ${lengths.join(' or ')} days.`,
  });

export const createRejectedByChainError = ({ reason, detail }: Rejection): AppError =>
  reason === 'other'
    ? new AppError({ code: 'payments.rejected_by_chain', message: `Failed to send transaction: ${detail}` })
    : new AppError({ code: `payments.${reason}` });

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
