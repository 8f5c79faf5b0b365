import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type {
  ConfirmTransactionResponse,
  OpenIntentBody,
  OpenRefundBody,
  SendRefundBody,
} from '#schema/contracts/payments.ts';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { client, isPending, read, send } from './client.ts';
import { pagedQuery } from './pages.ts';
import { refetchAlways } from './refetch.ts';

/** Opens an intent to pay a caller. With `payerAddress`, the response includes that wallet's balance. */
export const openIntent = (json: OpenIntentBody) =>
  read(client.api.solana['get-latest-blockhash'].$post({ json }));

export const listOwnPeriods = (id: string) =>
  read(client.api.subscriptions.caller[':id'].$get({ param: { id }, query: {} }));

export const ownPeriodsQuery = (callerId: string) =>
  queryOptions({
    queryKey: ['subscriptions', 'caller', callerId],
    queryFn: () => listOwnPeriods(callerId),
    staleTime: 0,
  });

/** Sends a signed transaction (base64) to the chain. Sending the same bytes again does not pay twice. */
export const sendTransaction = (transaction: string) =>
  read(client.api.solana['send-transaction'].$post({ json: { transaction } }));

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

/** Opens a refund of the payment with this signature, or its open refund again. */
export const openRefund = (json: OpenRefundBody) => read(client.api.solana['open-refund'].$post({ json }));

/** Sends the signed transfer (base64) of a refund of the payment with this signature. */
export const sendRefund = (json: SendRefundBody) => read(client.api.solana['send-refund'].$post({ json }));

/** Asks for a refund, or takes that back. The variable says which. */
export const requestRefundMutation = (signature: string) =>
  mutationOptions({
    mutationFn: (isAsked: boolean) =>
      read(
        client.api.payments[':signature']['refund-request'].$put({
          param: { signature: encodeURIComponent(signature) },
          json: { isAsked },
        }),
      ),
    onSettled: refetchAlways(['payments'], ['subscriptions'], ['callers'], ['token-calls', 'caller']),
  });

export const EARNINGS_CSV_PATH = '/api/payments/earnings.csv';

// `staleTime: 0` refetches on every visit, because payments are finalized without an action of the user.

export const myPaymentsQuery = pagedQuery(
  ['payments', 'paid'],
  (query) => client.api.payments.$get({ query }),
  {
    staleTime: 0,
  },
);

export const myEarningsQuery = pagedQuery(
  ['payments', 'earned'],
  (query) => client.api.payments.earnings.$get({ query }),
  {
    staleTime: 0,
  },
);

/** The receipt of a payment. Only the payer and the paid caller can read it; other users get a 404. */
export const receiptQuery = (signature: string) =>
  queryOptions({
    queryKey: ['payments', 'receipt', signature],
    queryFn: () =>
      read(client.api.payments[':signature'].$get({ param: { signature: encodeURIComponent(signature) } })),
    staleTime: 0,
  });
