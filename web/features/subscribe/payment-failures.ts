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
export function isPaidByOther(error: unknown): boolean {
  return hasCode(error, 'payments.intent_paid') || hasCode(error, 'payments.already_sent');
}

/** Why the server did not send a transaction. */
export function sendingReason(error: unknown): string {
  if (hasCode(error, 'payments.blockhash_expired')) {
    return 'The payment took too long to sign. Nothing was paid; press Pay again.';
  }
  return reasonOf(error, 'Failed to send transaction');
}

/** Why a wallet did not sign, and what to do about it. */
export function signingReason(error: unknown): string {
  if (error instanceof WalletError) return `${asSentence(error.message)} Nothing was paid.`;
  switch (readRefusal(error)) {
    case 'declined':
      return 'You declined in your wallet. Nothing was paid.';
    case 'busy':
      return 'Your wallet already shows another request. Finish or close that one, then press Pay again. Nothing was paid.';
    case 'locked':
      return 'Your wallet is locked, or does not let this site use the account. Unlock it, allow the account, then press Pay again. Nothing was paid.';
    case 'other_network':
      return 'Your wallet is set to another Solana network, or cannot reach it. Choose Mainnet in its settings, then press Pay again. Nothing was paid.';
    case null:
      return reasonOf(error, 'Your wallet did not sign the transaction. Nothing was paid.');
  }
}

/** A sentence with a full stop, whatever it was. */
export function asSentence(reason: string): string {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}

type WalletRefusal = 'declined' | 'busy' | 'locked' | 'other_network';

/** The codes that Solana wallets took over from EIP-1193 and EIP-1474. */
const REFUSAL_CODES: ReadonlyMap<unknown, WalletRefusal> = new Map([
  [4001, 'declined'],
  [-32002, 'busy'],
  [4100, 'locked'],
  [4900, 'other_network'],
  [4901, 'other_network'],
]);

/** Wallets without a code say it in words. */
function readRefusal(error: unknown): WalletRefusal | null {
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown;
    message?: unknown;
  };
  const known = REFUSAL_CODES.get(code);
  if (known) return known;
  const words = typeof message === 'string' ? message : '';
  if (/\b(?:network|cluster|chain)\b/i.test(words)) return 'other_network';
  if (/\b(?:un)?lock(?:ed)?\b|unauthori[sz]ed|not (?:been )?authori[sz]ed/i.test(words)) return 'locked';
  return isDeclinedByUser(error) ? 'declined' : null;
}
