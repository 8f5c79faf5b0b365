import type { Rejection } from '../../ports/chain.ts';
import type { PaymentMismatch } from '#schema/rules/payment.ts';
import { formatSol } from '#schema/rules/lamports.ts';
import { AppError } from '../../app/errors.ts';

export const createPayoutWalletMissingError = () =>
  new AppError({
    code: 'payments.payout_wallet_missing',
    message:
      'This caller has not connected a wallet to be paid to yet. Nothing was charged; try again later.',
  });

export const createPayoutIsPlatformError = () =>
  new AppError({
    code: 'payments.payout_is_platform',
    message: 'The platform’s own wallet cannot be a payout wallet. Choose another.',
  });

export const createUnderRentError = ({
  recipient,
  missingLamports,
}: {
  recipient: 'caller' | 'platform';
  missingLamports: bigint;
}) =>
  new AppError({
    code: 'payments.amount_under_rent',
    message:
      recipient === 'caller'
        ? `At this fee no payment can land: the payout wallet would stay under Solana's minimum balance. It needs at least ${formatSol(missingLamports)} SOL more, or a higher fee.`
        : `At this fee no payment can land: the platform's part would stay under Solana's minimum balance by ${formatSol(missingLamports)} SOL. A higher fee is needed.`,
  });

export const createIntentMissingError = () =>
  new AppError({
    code: 'payments.intent_missing',
    message: 'This transaction belongs to no payment that you have opened. Open the subscribe dialog again.',
  });

export const createIntentExpiredError = () =>
  new AppError({
    code: 'payments.intent_expired',
    message:
      'This payment was opened over ten minutes ago. Nothing was sent; open the subscribe dialog again.',
  });

export const createIntentPaidError = () =>
  new AppError({
    code: 'payments.intent_paid',
    message:
      'This payment has been made already. Nothing was sent; open the subscribe dialog again to pay for more time.',
  });

export const createSignatureMalformedError = () =>
  new AppError({ code: 'request.invalid', message: 'This is not a transaction signature.' });

export const createTransactionInvalidError = () =>
  new AppError({
    code: 'payments.transaction_invalid',
    message: 'This is not a Solana transaction that every signer has signed.',
  });

/** The cluster refused the transaction before it went anywhere. */
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
          'Failed to send transaction: the wallet holds less than this payment and the network fee need. Nothing was paid.',
      });
    case 'other':
      return new AppError({
        code: 'payments.rejected_by_chain',
        message: `Failed to send transaction: ${detail}`,
      });
  }
}

export const createAlreadySentError = () =>
  new AppError({
    code: 'payments.already_sent',
    message:
      'A payment of yours to this caller is on its way already. Nothing more was sent or charged. If it arrives, your subscription starts by itself; look again in a few minutes.',
  });

export const createExpiredError = () =>
  new AppError({
    code: 'payments.expired',
    message:
      'The transaction expired before it reached the chain, and cannot reach it any more. Nothing was paid: you can pay again.',
  });

export const createDurableNonceError = () =>
  new AppError({
    code: 'payments.durable_nonce',
    message:
      'This transaction uses a durable nonce, so it would never expire. Nothing was sent; sign an ordinary one.',
  });

/** A broadcast without an answer may have arrived: paying again would be paying twice. */
export const createSendUnansweredError = (cause: unknown) =>
  new AppError({
    code: 'chain.unavailable',
    message:
      'Failed to send transaction: the Solana network did not answer, so the payment may be on its way. Do not pay again yet; if it arrives, your subscription starts by itself.',
    cause,
  });

export const createAmountMismatchError = () =>
  new AppError({ code: 'payments.amount_mismatch', message: 'The amounts are not those of this payment.' });

export const createPaymentNotYoursError = () =>
  new AppError({
    code: 'payments.not_yours',
    message: 'This transaction paid for somebody else’s subscription.',
  });

export const createPaymentNotFoundError = () =>
  new AppError({ code: 'payments.not_found', message: 'There is no payment of yours with this signature.' });

export const createPaymentPendingError = () =>
  new AppError({
    code: 'payments.pending',
    message: 'The transaction is not visible on the chain yet. Ask again in a moment.',
  });

const mismatchMessages: Record<PaymentMismatch, string> = {
  failed_on_chain: 'Transaction failed on blockchain',
  missing_reference: 'This transaction does not name the payment that it should pay.',
  wrong_recipient: 'This transaction does not pay the caller and the platform.',
  wrong_amount: 'This transaction does not pay exactly what this subscription costs.',
  payer_did_not_sign: 'The wallet that pays did not sign this transaction.',
  money_flowed_back: 'The money of this transaction did not stay with its recipients.',
  outside_time_window: 'This transaction was not made within the time of its payment.',
};

export const createMismatchError = (mismatch: PaymentMismatch) =>
  new AppError({ code: `payments.${mismatch}`, message: mismatchMessages[mismatch] });
