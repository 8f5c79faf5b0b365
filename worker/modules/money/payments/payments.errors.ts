import type { Rejection } from '../../../ports/chain.ts';
import { MAX_UNUSED_INTENTS, MINUTE_MS, SECOND_MS } from '#schema/constants.ts';
import { formatSol } from '#schema/rules/money/lamports.ts';
import { AppError } from '../../../app/errors.ts';

const messages = {
  'payments.payout_wallet_missing':
    "This caller hasn't connected a payout wallet yet. Nothing was charged. Try again later.",
  'payments.payout_is_platform':
    "The platform's own wallet cannot be a payout wallet. Choose another wallet.",
  'payments.intent_missing':
    "This transaction doesn't belong to a payment you started. Open the subscribe dialog again.",
  'payments.intent_expired':
    'This payment expired after ten minutes. Nothing was sent; open the subscribe dialog again.',
  'payments.intent_paid':
    'You already made this payment, so nothing was sent again. Open the subscribe dialog again to pay for more time.',
  'payments.transaction_invalid':
    'This Solana transaction is not fully signed. Open the subscribe dialog and sign again.',
  'payments.already_sent':
    'Your earlier payment to this caller is still in progress. Nothing more was sent or charged. ' +
    'Check again in a few minutes.',
  'payments.expired':
    'The transaction expired before it reached the chain. Nothing was paid. You can pay again.',
  'payments.durable_nonce':
    'This transaction uses a durable nonce, so it would never expire. Nothing was sent. Turn durable nonces ' +
    'off in your wallet or use another wallet.',
  'payments.amount_mismatch':
    "The submitted amounts don't match this payment. Open the subscribe dialog again.",
  'payments.not_yours': "This transaction paid for somebody else's subscription.",
  'payments.not_found':
    'You have no payment with this signature. You may be signed in to a different account.',
  'payments.pending': 'The transaction is not on the chain yet. Try again in a moment.',
  'payments.failed_on_chain': 'Transaction failed on blockchain',
  'payments.missing_reference': "This transaction doesn't contain your payment's reference.",
  'payments.wrong_recipient': 'This transaction does not pay the caller and the platform.',
  'payments.wrong_amount': 'This transaction does not pay the exact price of this subscription.',
  'payments.payer_did_not_sign': 'The paying wallet did not sign this transaction.',
  'payments.money_flowed_back': "This transaction also moved the money back out of the recipients' wallets.",
  'payments.outside_time_window':
    'This transaction was not made within the ten minutes after the payment was opened.',
};

export function createPaymentError(code: keyof typeof messages): AppError {
  return new AppError({ code, message: messages[code] });
}

/** `waitMs` is the time until the person may start another payment. */
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
      'Failed to send transaction: the Solana network did not answer, so the payment may be on its way. We keep ' +
      'sending it for about a minute. Do not pay again yet. If the payment goes through, your subscription starts ' +
      'automatically.',
    cause,
  });
