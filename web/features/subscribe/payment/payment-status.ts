import type { ConfirmTransactionResponse } from '#schema/contracts/payments.ts';
import { hasCode } from '#web/api/api-error.ts';

/**
 * The state of a signed payment. Only the server decides when it is safe to sign another one.
 * - `landed`: on the chain, and the money moved.
 * - `failed`: on the chain, but no money moved.
 * - `expired`: can never land. Either its last possible block is final without it, or the cluster rejected its
 * only send.
 * - `pending`: the server has it, and it may still land.
 * - `not_received`: the server never received it, so it was never sent to Solana.
 * - `unknown`: the server or the chain did not respond, or the session has ended.
 */
export type PaymentStatus =
  | { readonly state: 'landed' | 'failed' | 'pending' }
  | { readonly state: 'expired' | 'not_received' | 'unknown'; readonly error: unknown };

/** Asks the server for a transaction's state, which takes some seconds. Never throws. */
export async function fetchPaymentStatus(
  signature: string,
  confirmTransaction: (signature: string) => Promise<ConfirmTransactionResponse | null>,
): Promise<PaymentStatus> {
  try {
    const response = await confirmTransaction(signature);
    if (response === null) return { state: 'pending' };
    return { state: response.result.value[0].err === null ? 'landed' : 'failed' };
  } catch (error) {
    if (hasCode(error, 'payments.expired')) return { state: 'expired', error };
    if (hasCode(error, 'payments.intent_missing')) return { state: 'not_received', error };
    if (hasCode(error, 'payments.failed_on_chain')) return { state: 'failed' };
    return { state: 'unknown', error };
  }
}
