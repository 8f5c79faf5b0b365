import type { OpenRefundResponse, SendTransactionResponse } from '#schema/contracts/payments.ts';
import { client, isPending, read, send } from './client.ts';

/** Opens a refund of the payment with this signature, or its open refund again. */
export function openRefund(signature: string): Promise<OpenRefundResponse> {
  return read(client.api.solana['open-refund'].$post({ json: { signature } }));
}

/** Sends the signed transfer of an open refund (base64) to the chain. */
export function sendRefund(transaction: string): Promise<SendTransactionResponse> {
  return read(client.api.solana['send-refund'].$post({ json: { transaction } }));
}

/** True once the refund's transfer is finalized and recorded. */
export async function searchRefund(reference: string): Promise<boolean> {
  return !isPending(await send(client.api.solana['search-refund'].$post({ json: { reference } })));
}
