import { z } from 'zod';
import { MONTH_DAYS, PERIOD_LENGTHS } from '#schema/constants/money.ts';
import type { PeriodDays } from '#schema/rules/money/lengths.ts';
import type { CallerSummary } from './callers.ts';
import { addressSchema, idSchema, signatureSchema } from './shared.ts';
import type { SubscriberName } from './subscriptions.ts';

/**
 * Opens a payment for a month, or for `days`. The response includes the balance of `payerAddress` if it's set. `replaces`: an
 * open intent that the page won't pay any more, so it doesn't count as time that may still be bought.
 */
export const openIntentSchema = z.object({
  callerId: idSchema,
  payerAddress: addressSchema.optional(),
  days: z.literal([...PERIOD_LENGTHS]).default(MONTH_DAYS),
  replaces: idSchema.optional(),
});
export type OpenIntentBody = z.input<typeof openIntentSchema>;

/** The size of a version 1 transaction (SIMD-0385). Legacy and version 0 transactions have at most 1,232 bytes. */
const MAX_TRANSACTION_BYTES = 4_096;

/** A signed transaction in base64. */
export const sendTransactionSchema = z.object({
  transaction: z
    .base64()
    .min(1)
    .max(4 * Math.ceil(MAX_TRANSACTION_BYTES / 3)),
});

export const confirmTransactionSchema = z.object({ signature: signatureSchema });

export const searchPaymentSchema = z.object({ intentId: idSchema });

/** `isAsked`: false takes the request back. */
export const requestRefundSchema = z.object({ isAsked: z.boolean() });

/**
 * `fromAddress`: the wallet that pays back. `sendsItself`: it sends the transfer, so the server doesn't learn its
 * signature.
 */
export const openRefundSchema = z.object({
  signature: signatureSchema,
  fromAddress: addressSchema,
  sendsItself: z.boolean().default(false),
});
export type OpenRefundBody = z.input<typeof openRefundSchema>;

/** `signature`: that of the payment, as in the other bodies. */
export const sendRefundSchema = sendTransactionSchema.extend({ signature: signatureSchema });
export type SendRefundBody = z.infer<typeof sendRefundSchema>;

/** A length that the caller sells now, and its price. */
export interface LengthOffer {
  readonly days: PeriodDays;
  readonly callerLamports: string;
  readonly platformLamports: string;
}

/** A payment's terms. Addresses are base58, lamports decimal strings, the time ISO 8601. */
export interface PaymentIntent extends LengthOffer {
  readonly id: string;
  /** The caller's fee for a month. */
  readonly feeLamports: string;
  readonly reference: string;
  readonly callerAddress: string;
  readonly platformAddress: string;
  readonly expiresAt: string;
}

/** The compute budget of the transaction. The price is a decimal string in micro-lamports per compute unit. */
export interface ComputeBudgetResponse {
  readonly computeUnitLimit: number;
  readonly microLamports: string;
}

export interface OpenIntentResponse {
  readonly result: { readonly value: { readonly blockhash: string; readonly lastValidBlockHeight: number } };
  /** How long the blockhash is valid from now, in ms. Null if the length of the chain's slots is unknown. */
  readonly signingMs: number | null;
  readonly intent: PaymentIntent;
  /** The lengths that can be bought now, shortest first. */
  readonly lengths: readonly LengthOffer[];
  /** Lets the payment land while the network is busy. A payment without it is also valid. */
  readonly computeBudget: ComputeBudgetResponse;
  /** The paying wallet's balance in lamports, if the request named the wallet. */
  readonly payerLamports?: string;
  /** The rent-exempt minimum in lamports. After paying, the payer must have at least this much left, or exactly 0. */
  readonly rentExemptLamports: string;
}

export interface OpenRefundResponse {
  readonly blockhash: string;
  /** The terms. Addresses are base58, and `lamports` is the rest to pay until the period ends, a decimal string. */
  readonly refund: {
    readonly reference: string;
    readonly toAddress: string;
    readonly lamports: string;
    readonly isAsked: boolean;
  };
  /** The time at which the refund was opened before, perhaps by another page that is still open. Null if long ago. */
  readonly openedBefore: string | null;
  readonly computeBudget: ComputeBudgetResponse;
}

/** `result` is the signature. */
export interface SendTransactionResponse {
  readonly result: string;
}

/** `value[0].err` is null once the transaction has succeeded on the chain. */
export interface ConfirmTransactionResponse {
  readonly result: {
    readonly value: readonly [
      { readonly err: unknown; readonly confirmationStatus: 'confirmed' | 'finalized' },
    ];
  };
}

/**
 * `confirmed`: access is granted, but not all nodes may count the payment as final. `finalized`: a fork can't undo it.
 * `revoked`: a fork undid the payment, which also ended the access. `refunded`: the caller paid back the share that the
 * subscriber had asked for, or the whole amount, which also ended the access.
 */
export type PaymentState = 'confirmed' | 'finalized' | 'revoked' | 'refunded';

/** A transfer by which the caller paid back a payment, or a part of it. */
export interface Refund {
  readonly amount: string;
  readonly signature: string;
  readonly explorerUrl: string;
  readonly paidAt: string;
}

/** A payment. Amounts are decimal strings in SOL, addresses base58, times ISO 8601. */
export interface PaymentSummary {
  readonly id: string;
  /** The days that were bought. */
  readonly days: PeriodDays;
  readonly callerAddress: string;
  readonly callerAmount: string;
  readonly platformAddress: string;
  readonly platformAmount: string;
  readonly totalAmount: string;
  readonly signature: string;
  readonly explorerUrl: string;
  readonly slot: number;
  readonly paidAt: string;
  readonly period: { readonly startDate: string; readonly endDate: string } | null;
  /** The caller's share without what was paid back. */
  readonly earned: string;
  /**
   * The caller's share of the time that is left when the caller's account is deleted, without what was paid back. Null if
   * nothing is owed.
   */
  readonly owed: string | null;
  readonly paidBack: string;
  /** The rest to pay back until the period ends: of the share if the subscriber asks for it, or of everything. */
  readonly left: string;
  /** Paid back beyond the share that was asked for, or beyond the whole amount. Null if nothing. */
  readonly paidBackTwice: string | null;
  /** The newest transfers, oldest first. */
  readonly refunds: readonly Refund[];
  /** Null unless the subscriber asks for a refund. Once the caller has opened it, it can't be taken back. */
  readonly refundRequest: { readonly askedAt: string; readonly canTakeBack: boolean } | null;
  readonly state: PaymentState;
}

export interface Receipt extends PaymentSummary {
  readonly caller: CallerSummary;
  readonly payerAddress: string;
}

export interface Earning extends PaymentSummary {
  readonly subscriberId: string;
  /** Null for a deleted account, and later than 30 days after the period's end unless the subscriber is also a caller. */
  readonly subscriber: SubscriberName | null;
}
