import { Hono } from 'hono';
import {
  confirmTransactionSchema,
  openIntentSchema,
  openRefundSchema,
  requestRefundSchema,
  searchPaymentSchema,
  sendRefundSchema,
  sendTransactionSchema,
} from '#schema/contracts/payments.ts';
import { pageQuerySchema } from '#schema/contracts/shared.ts';
import { subscribersQuerySchema } from '#schema/contracts/subscriptions.ts';
import type { AppEnv } from '../../../app/context.ts';
import { signedInRoutes } from '../../../app/route.ts';
import { CHAIN_ERRORS, MISMATCH_ERRORS, TERMS_ERRORS } from '../../../app/route-facts.ts';
import { respondWithCsv } from '../../../app/csv.ts';
import { respondWithRows } from '../../../app/pages.ts';
import { validate } from '../../../app/validate.ts';

const { read, write, costly } = signedInRoutes('Payments');

export const paymentsRoutes = new Hono<AppEnv>()
  .post(
    '/solana/get-latest-blockhash',
    costly({
      summary:
        'Open a payment intent. Show the payer this before they pay: the caller sees the name, the handle and the dates ' +
        'of who pays, until 30 days after the end. Ask them whether access is to begin at once, which ends the right of ' +
        'withdrawal',
      status: 201,
      response: 'OpenIntentResponse',
      errors: [
        ...CHAIN_ERRORS,
        ...TERMS_ERRORS,
        'callers.not_found',
        'subscriptions.self',
        'subscriptions.caller_is_free',
        'subscriptions.caller_leaving',
        'subscriptions.caller_suspended',
        'payments.payout_wallet_missing',
        'payments.payout_is_platform',
        'payments.amount_under_rent',
        'payments.length_not_offered',
        'payments.too_far_ahead',
        'payments.already_sent',
        'payments.intent_paid',
        'payments.unreadable',
        ...MISMATCH_ERRORS,
        'payments.outside_time_window',
        'payments.too_many_unused',
        'payments.paused',
      ],
    }),
    validate('json', openIntentSchema),
    async (c) => c.json(await c.var.services.payments.openIntent(c.var.userId, c.req.valid('json')), 201),
  )
  .post(
    '/solana/send-transaction',
    costly({
      ability: 'payments',
      summary: 'Send the signed transaction of an open intent',
      response: 'SendTransactionResponse',
      errors: [
        ...CHAIN_ERRORS,
        'callers.not_found',
        'subscriptions.caller_leaving',
        'subscriptions.caller_suspended',
        'payments.intent_missing',
        'payments.intent_expired',
        'payments.intent_paid',
        'payments.transaction_invalid',
        'payments.version_unsupported',
        'payments.already_sent',
        'payments.durable_nonce',
        'payments.blockhash_expired',
        'payments.insufficient_funds',
        'payments.rejected_by_chain',
        ...MISMATCH_ERRORS,
      ],
    }),
    validate('json', sendTransactionSchema),
    async (c) => c.json(await c.var.services.payments.send(c.var.userId, c.req.valid('json'))),
  )
  // The page sends this request every second or two until the payment has landed.
  .post(
    '/solana/confirm-transaction',
    read({
      summary: 'Ask whether a transaction has landed; 202 if it hasn’t yet',
      response: 'ConfirmTransactionResponse',
      errors: [...CHAIN_ERRORS, 'payments.intent_missing', 'payments.expired', 'payments.pending'],
    }),
    validate('json', confirmTransactionSchema),
    async (c) => c.json(await c.var.services.payments.confirm(c.var.userId, c.req.valid('json'))),
  )
  .post(
    '/solana/search-payment',
    costly({
      summary:
        'Search the chain for an intent’s payment; 202 if there is none yet, and the reason if one has landed but ' +
        'doesn’t count',
      response: 'Subscription',
      errors: [
        ...CHAIN_ERRORS,
        'payments.intent_missing',
        'payments.pending',
        'payments.unreadable',
        'payments.released',
        'payments.refunded',
        ...MISMATCH_ERRORS,
        'payments.outside_time_window',
      ],
    }),
    validate('json', searchPaymentSchema),
    async (c) => c.json(await c.var.services.payments.search(c.var.userId, c.req.valid('json'))),
  )
  .post(
    '/solana/open-refund',
    costly({
      summary: 'Open a refund of a payment, or its open refund again',
      status: 201,
      response: 'OpenRefundResponse',
      errors: [
        ...CHAIN_ERRORS,
        'payments.not_found',
        'payments.not_final',
        'payments.refunded',
        'payments.refund_pending',
        'payments.refund_unreadable',
        'payments.not_your_wallet',
      ],
    }),
    validate('json', openRefundSchema),
    async (c) => c.json(await c.var.services.refunds.open(c.var.userId, c.req.valid('json')), 201),
  )
  .post(
    '/solana/send-refund',
    costly({
      summary: 'Send the signed transfer of an open refund',
      response: 'SendTransactionResponse',
      errors: [
        ...CHAIN_ERRORS,
        'payments.not_found',
        'payments.refunded',
        'payments.refund_pending',
        'payments.transaction_invalid',
        'payments.version_unsupported',
        'payments.not_the_refund',
        'payments.durable_nonce',
        'payments.blockhash_expired',
        'payments.insufficient_funds',
        'payments.rejected_by_chain',
      ],
    }),
    validate('json', sendRefundSchema),
    async (c) => c.json(await c.var.services.refunds.send(c.var.userId, c.req.valid('json'))),
  )
  .get(
    '/payments',
    read({ summary: 'The user’s payments, newest first', response: 'Receipt[]', isPaged: true }),
    validate('query', pageQuerySchema),
    async (c) =>
      respondWithRows(c, await c.var.services.receipts.listPaid(c.var.userId, c.req.valid('query'))),
  )
  .get(
    '/payments/earnings',
    read({
      summary: 'The caller’s earnings, newest first',
      response: 'Earning[]',
      isPaged: true,
    }),
    validate('query', pageQuerySchema),
    async (c) =>
      respondWithRows(c, await c.var.services.receipts.listEarned(c.var.userId, c.req.valid('query'))),
  )
  .get(
    '/payments/earnings.csv',
    costly({
      summary: 'Download the caller’s earnings',
      contentType: 'text/csv',
    }),
    async (c) => respondWithCsv(c, await c.var.services.receipts.exportEarned(c.var.userId)),
  )
  .get(
    '/payments/subscribers',
    read({
      summary: 'Who pays the user as a caller, with name and handle until 30 days after the end',
      response: 'Subscriber[]',
      isPaged: true,
    }),
    validate('query', subscribersQuerySchema),
    async (c) =>
      respondWithRows(c, await c.var.services.receipts.listSubscribers(c.var.userId, c.req.valid('query'))),
  )
  .get(
    '/payments/subscribers.csv',
    costly({ summary: 'Download who pays the user as a caller now', contentType: 'text/csv' }),
    async (c) => respondWithCsv(c, await c.var.services.receipts.exportSubscribers(c.var.userId)),
  )
  .put(
    '/payments/:signature/refund-request',
    write({
      summary:
        'Ask for a refund, which ends the period at once if the share was already paid back, or take that back',
      response: 'Receipt',
      errors: ['payments.not_found', 'payments.not_final', 'payments.refunded', 'payments.refund_opened'],
    }),
    validate('json', requestRefundSchema),
    async (c) => {
      const payment = { userId: c.var.userId, signature: c.req.param('signature') };
      await c.var.services.refunds.request({ ...payment, ...c.req.valid('json') });
      return c.json(await c.var.services.receipts.find(payment));
    },
  )
  .get(
    '/payments/:signature',
    read({ summary: 'A receipt', response: 'Receipt', errors: ['payments.not_found'] }),
    async (c) =>
      c.json(
        await c.var.services.receipts.find({ userId: c.var.userId, signature: c.req.param('signature') }),
      ),
  );
