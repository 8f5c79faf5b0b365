import { ApiError, ConnectionError, hasCode, isSignedOut, reasonOf } from '#web/api/api-error.ts';
import { readRefusal, WalletError } from '#web/lib/wallets/wallet-errors.ts';
import type { PendingPayment } from './payment-types.ts';

const RETRYABLE_STATUSES: readonly number[] = [408, 429];

const NOT_PREPARED = "The payment couldn't be prepared. Nothing was paid. Try again.";

export function openingReason(error: unknown): string {
  return error instanceof ConnectionError
    ? `${error.reason} Nothing was paid.`
    : reasonOf(error, NOT_PREPARED);
}

/** True if a retry may help: there was no response, or the server is overloaded or broken. */
export function isTransient(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 500 || RETRYABLE_STATUSES.includes(error.status);
}

/** True if the server refused permanently. A 401 isn't permanent, because the user can sign in and retry. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && !isTransient(error) && !isSignedOut(error);
}

/** The payment from another tab or device for which the server refuses this one; `null` after any other error. */
export function readOtherPayment(error: unknown, callerId: string, openedAt: number): PendingPayment | null {
  const { intentId } = error instanceof ApiError ? error.details : {};
  if (typeof intentId !== 'string') return null;
  return {
    callerId,
    intent: { id: intentId },
    openedAt,
    hasLanded: !hasCode(error, 'payments.already_sent'),
  };
}

export function sendingReason(error: unknown): string {
  if (hasCode(error, 'payments.blockhash_expired')) {
    return 'Signing took too long. Nothing was paid. Press Pay again.';
  }
  if (error instanceof ConnectionError) return 'Failed to send transaction: no connection to the server';
  return reasonOf(error, 'Failed to send transaction');
}

export const INACTIVE = 'The subscription is not active yet';

/** True if a search has found a transaction for the payment on the chain, but it doesn't count (any more). */
export function isLanded(error: unknown): error is ApiError {
  if (hasCode(error, 'payments.intent_missing') || !(error instanceof ApiError)) return false;
  return error.code?.startsWith('payments.') === true;
}

export function signingReason(error: unknown): string {
  if (error instanceof WalletError) return `${asSentence(error.message)} Nothing was paid.`;
  switch (readRefusal(error)) {
    case 'declined':
      return 'You declined the payment in your wallet. Nothing was paid. Press Pay to try again.';
    case 'busy':
      return 'Your wallet is showing another request. Finish or close it, then press Pay again. Nothing was paid.';
    case 'locked':
      return "Your wallet is locked or hasn't given this site access to the account. Unlock it, allow access, then press Pay again. Nothing was paid.";
    case 'other_network':
      return "Your wallet is set to another Solana network or can't reach Solana. Choose Mainnet in its settings, then press Pay again. Nothing was paid.";
    case null:
      return reasonOf(
        error,
        "Your wallet didn't sign the payment. Nothing was paid. Press Pay to try again.",
      );
  }
}

export function asSentence(reason: string): string {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}
