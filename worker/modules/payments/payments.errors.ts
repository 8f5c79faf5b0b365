import type { Rejection } from '../../ports/chain.ts';
import type { PaymentMismatch } from '#schema/rules/payment.ts';
import { formatSol } from '#schema/rules/lamports.ts';
import { AppError } from '../../app/errors.ts';

export const createPayoutWalletMissingError = () =>
  new AppError({
    code: 'payments.payout_wallet_missing',
    message: "This caller hasn't connected a payout wallet yet. Nothing was charged. Try again later.",
  });

export const createPayoutIsPlatformError = () =>
  new AppError({
    code: 'payments.payout_is_platform',
    message: "The platform's own wallet cannot be a payout wallet. Choose another wallet.",
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
        ? `Solana would reject a payment at this fee: it would leave the caller's payout wallet below Solana's ` +
          `minimum balance. The caller can add at least ${formatSol(missingLamports)} SOL to that wallet or raise the fee.`
        : `Solana would reject a payment at this fee: the platform's share is ${formatSol(missingLamports)} SOL ` +
          `too small for Solana's minimum balance. The caller can raise the fee.`,
  });

export const createIntentMissingError = () =>
  new AppError({
    code: 'payments.intent_missing',
    message: "This transaction doesn't belong to a payment you started. Open the subscribe dialog again.",
  });

export const createIntentExpiredError = () =>
  new AppError({
    code: 'payments.intent_expired',
    message: 'This payment expired after ten minutes. Nothing was sent; open the subscribe dialog again.',
  });

export const createIntentPaidError = () =>
  new AppError({
    code: 'payments.intent_paid',
    message:
      'You already made this payment. Nothing was sent; open the subscribe dialog again to pay for more time.',
  });

export const createSignatureMalformedError = () =>
  new AppError({
    code: 'request.invalid',
    message: 'This is not a transaction signature. Copy the whole signature and try again.',
  });

export const createTransactionInvalidError = () =>
  new AppError({
    code: 'payments.transaction_invalid',
    message: 'This Solana transaction is not fully signed. Open the subscribe dialog and sign again.',
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

export const createAlreadySentError = () =>
  new AppError({
    code: 'payments.already_sent',
    message:
      'Your earlier payment to this caller is still in progress. Nothing more was sent or charged. ' +
      'Check again in a few minutes.',
  });

export const createExpiredError = () =>
  new AppError({
    code: 'payments.expired',
    message: 'The transaction expired before it reached the chain. Nothing was paid. You can pay again.',
  });

export const createDurableNonceError = () =>
  new AppError({
    code: 'payments.durable_nonce',
    message:
      'This transaction uses a durable nonce, so it would never expire. Nothing was sent. Turn durable nonces ' +
      'off in your wallet or use another wallet.',
  });

/** The transaction may have arrived: a second payment could pay twice. */
export const createSendUnansweredError = (cause: unknown) =>
  new AppError({
    code: 'chain.unavailable',
    message:
      'Failed to send transaction: the Solana network did not answer, so the payment may be on its way. Do not pay ' +
      'again yet. If the payment goes through, your subscription starts automatically.',
    cause,
  });

export const createAmountMismatchError = () =>
  new AppError({ code: 'payments.amount_mismatch', message: 'The amounts do not match this payment.' });

export const createPaymentNotYoursError = () =>
  new AppError({
    code: 'payments.not_yours',
    message: "This transaction paid for somebody else's subscription.",
  });

export const createPaymentNotFoundError = () =>
  new AppError({
    code: 'payments.not_found',
    message: 'You have no payment with this signature. You may be signed in to a different account.',
  });

export const createPaymentPendingError = () =>
  new AppError({
    code: 'payments.pending',
    message: 'The transaction is not on the chain yet. Try again in a moment.',
  });

const mismatchMessages: Record<PaymentMismatch, string> = {
  failed_on_chain: 'Transaction failed on blockchain',
  missing_reference: "This transaction doesn't contain your payment's reference.",
  wrong_recipient: 'This transaction does not pay the caller and the platform.',
  wrong_amount: 'This transaction does not pay the exact price of this subscription.',
  payer_did_not_sign: 'The paying wallet did not sign this transaction.',
  money_flowed_back: "This transaction moved the money out of the recipients' wallets again.",
  outside_time_window: 'This transaction was not made within the ten minutes after the payment was opened.',
};

export const createMismatchError = (mismatch: PaymentMismatch) =>
  new AppError({ code: `payments.${mismatch}`, message: mismatchMessages[mismatch] });
