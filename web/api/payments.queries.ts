import type {
  ConfirmTransactionAnswer,
  OpenIntentAnswer,
  SendTransactionAnswer,
} from '#schema/contracts/payments.ts';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { client, read, send } from './client.ts';
import { isPending } from './pending-answer.ts';

/** Opens an intent to pay a caller: the exact terms and the blockhash to build on; with a wallet, also what that holds. */
export function openIntent({
  callerId,
  payerAddress,
}: {
  readonly callerId: string;
  readonly payerAddress?: string | undefined;
}): Promise<OpenIntentAnswer> {
  return read(client.api.solana['get-latest-blockhash'].$post({ json: { callerId, payerAddress } }));
}

/** The signed-in user's own periods with a caller, newest first. */
export function listOwnPeriods(callerId: string): Promise<readonly Subscription[]> {
  return read(client.api.subscriptions.caller[':id'].$get({ param: { id: callerId }, query: {} }));
}

/** Hands a signed transaction (base64) over, to be sent to the chain. The same bytes again are the same transaction. */
export function sendTransaction(transaction: string): Promise<SendTransactionAnswer> {
  return read(client.api.solana['send-transaction'].$post({ json: { transaction } }));
}

/**
 * Where a transaction stands; `null` while the server has it and it may still land.
 * @throws {ApiError} payments.expired once it never can, payments.intent_missing where the server never got it
 */
export async function confirmTransaction(signature: string): Promise<ConfirmTransactionAnswer | null> {
  const response = await send(client.api.solana['confirm-transaction'].$post({ json: { signature } }));
  return isPending(response) ? null : await response.json();
}
