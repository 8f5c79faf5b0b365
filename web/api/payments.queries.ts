import type {
  ConfirmTransactionResponse,
  OpenIntentResponse,
  OpenIntentBody,
  SendTransactionResponse,
} from '#schema/contracts/payments.ts';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { client, isPending, read, send } from './client.ts';

/** Opens an intent to pay a caller. With `payerAddress`, the response includes that wallet's balance. */
export function openIntent(body: OpenIntentBody): Promise<OpenIntentResponse> {
  return read(client.api.solana['get-latest-blockhash'].$post({ json: body }));
}

/** The signed-in user's periods with a caller, newest first. */
export function listOwnPeriods(callerId: string): Promise<readonly Subscription[]> {
  return read(client.api.subscriptions.caller[':id'].$get({ param: { id: callerId }, query: {} }));
}

/** Sends a signed transaction (base64) to the chain. Sending the same bytes again does not pay twice. */
export function sendTransaction(transaction: string): Promise<SendTransactionResponse> {
  return read(client.api.solana['send-transaction'].$post({ json: { transaction } }));
}

/** Searches the chain for an intent's payment. Returns its period, or `null` while there is none. */
export async function searchPayment(intentId: string): Promise<Subscription | null> {
  const response = await send(client.api.solana['search-payment'].$post({ json: { intentId } }));
  return isPending(response) ? null : await response.json();
}

/**
 * Returns the transaction's status, or `null` while it may still land.
 * @throws {ApiError} payments.expired if the transaction can never land, payments.intent_missing if the
 * server has no intent for it
 */
export async function confirmTransaction(signature: string): Promise<ConfirmTransactionResponse | null> {
  const response = await send(client.api.solana['confirm-transaction'].$post({ json: { signature } }));
  return isPending(response) ? null : await response.json();
}
