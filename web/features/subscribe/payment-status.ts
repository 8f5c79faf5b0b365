import type { ConfirmTransactionAnswer } from '#schema/contracts/payments.ts';
import { hasCode } from '#web/api/api-error.ts';

/**
 * What the server says of a signed payment. It alone knows the chain, so it alone says when another may be signed.
 *
 * - `landed`: it stands on the chain and moved the money.
 * - `failed`: it stands on the chain and moved none.
 * - `expired`: it can never land. Every endpoint has finalized the last block that could hold it, and none knows it; or
 *   the cluster refused it the only time it was sent.
 * - `on_its_way`: the server has it, and it may still land.
 * - `missing`: the server never got it, so nobody has sent it.
 * - `silent`: no word. The server or the chain did not answer, or the session is over.
 */
export type PaymentStatus =
  | { readonly is: 'landed' | 'failed' | 'on_its_way' }
  | { readonly is: 'expired' | 'missing' | 'silent'; readonly error: unknown };

/** Asks about a signature. The server itself waits some seconds for the chain. It never throws. */
export async function fetchPaymentStatus(
  signature: string,
  confirmTransaction: (signature: string) => Promise<ConfirmTransactionAnswer | null>,
): Promise<PaymentStatus> {
  try {
    const answer = await confirmTransaction(signature);
    if (answer === null) return { is: 'on_its_way' };
    return { is: answer.result.value[0].err === null ? 'landed' : 'failed' };
  } catch (error) {
    if (hasCode(error, 'payments.expired')) return { is: 'expired', error };
    if (hasCode(error, 'payments.intent_missing')) return { is: 'missing', error };
    if (hasCode(error, 'payments.failed_on_chain')) return { is: 'failed' };
    return { is: 'silent', error };
  }
}
