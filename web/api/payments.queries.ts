import type { ConfirmTransactionAnswer, OpenIntentAnswer, SendTransactionAnswer } from '#schema/contracts/payments.ts';
import { client, read, send } from './client.ts';
import { isPending } from './pending-answer.ts';

/** Opens an intent to pay a caller from a wallet: the exact terms, the blockhash to build on, and what the wallet holds. */
export function openIntent({ callerId, payerAddress }: { readonly callerId: string; readonly payerAddress: string }): Promise<OpenIntentAnswer> {
  return read(client.api.solana['get-latest-blockhash'].$post({ json: { callerId, payerAddress } }));
}

/** Hands a signed transaction (base64) over, to be sent to the chain. */
export function sendTransaction(transaction: string): Promise<SendTransactionAnswer> {
  return read(client.api.solana['send-transaction'].$post({ json: { transaction } }));
}

/** Where a transaction stands; `null` while the chain does not show it. */
export async function confirmTransaction(signature: string): Promise<ConfirmTransactionAnswer | null> {
  const response = await send(client.api.solana['confirm-transaction'].$post({ json: { signature } }));
  return isPending(response) ? null : ((await response.json()) as ConfirmTransactionAnswer);
}
