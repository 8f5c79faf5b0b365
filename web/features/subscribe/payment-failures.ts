import { ApiError, hasCode, reasonOf } from '#web/api/api-error.ts';
import { isDeclinedByUser, WalletError } from '#web/lib/wallets/wallet-errors.ts';

const ASK_LATER: readonly number[] = [408, 429];
const SIGNED_OUT = 401;

/** Whether asking the same again may help: no answer at all, an overloaded or a broken server. */
export function isTransient(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 500 || ASK_LATER.includes(error.status);
}

/** Whether the server has read the request and said no. (Somebody signed out may sign in and ask again.) */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && !isTransient(error) && error.status !== SIGNED_OUT;
}

/** Whether this payment was made, or is being made, by another transaction: there is nothing left to pay here. */
export function isPaidElsewhere(error: unknown): boolean {
  return hasCode(error, 'payments.intent_paid') || hasCode(error, 'payments.already_sent');
}

/** Why the server did not send a transaction. */
export function sendingReason(error: unknown): string {
  if (hasCode(error, 'payments.blockhash_expired')) return 'The payment took too long to sign. Nothing was paid; press Pay again.';
  return reasonOf(error, 'Failed to send transaction');
}

/** Why a wallet did not sign. */
export function signingReason(error: unknown): string {
  if (isDeclinedByUser(error)) return 'You declined in your wallet. Nothing was paid.';
  if (error instanceof WalletError) return error.message;
  return reasonOf(error, 'Your wallet did not sign the transaction. Nothing was paid.');
}
