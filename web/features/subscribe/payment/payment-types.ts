import type {
  ConfirmTransactionResponse,
  PaymentIntent,
  SendTransactionResponse,
} from '#schema/contracts/payments.ts';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import type { PaymentInput } from './build-payment.ts';
import type { OpenInput } from './open-payment.ts';
import type { OpenedIntent } from './payment-terms.ts';

export const PAYMENT_STEPS = ['intent', 'sign', 'send', 'confirm', 'activate'] as const;
export type PaymentStep = (typeof PAYMENT_STEPS)[number];

/**
 * `isSlow` is true once the step takes longer than usual. `isResending` is true if Solana didn't accept the payment at
 * first, so the server repeats the send. `isDisconnected` is true while the signed payment can't reach the server.
 * `isSearching` is true while we look for a payment that the wallet sends. `signBy` is the time (unix ms) until
 * which the wallet can sign, if known.
 */
export interface PaymentProgress {
  readonly step: PaymentStep;
  readonly isSlow: boolean;
  readonly isResending?: boolean;
  readonly isDisconnected?: boolean;
  readonly isSearching?: boolean;
  readonly signBy?: number;
}

/**
 * A payment that may land. No other payment to this caller starts until it ends. If it isn't a `SignedPayment`, a
 * wallet sends it, and it's stored before the wallet prompt, or another tab or device pays.
 */
export interface PendingPayment {
  readonly callerId: string;
  readonly intent: Pick<PaymentIntent, 'id'>;
  readonly openedAt: number;
  readonly hasLanded: boolean;
}

/** A payment that the wallet has signed without sending it. */
export interface SignedPayment extends PendingPayment {
  readonly signature: string;
  /** The signed transaction in base64, stored so that it can be sent again. */
  readonly transaction: string;
}

export function isSigned(pending: PendingPayment): pending is SignedPayment {
  return 'transaction' in pending;
}

export interface PaymentFailure {
  readonly status: 'failed';
  readonly title:
    | 'Payment failed'
    | 'Payment not confirmed yet'
    | 'Paid, but not active yet'
    | 'Subscription failed';
  readonly reason: string;
  /** A payment that may still land and can be resumed; `null` if it is safe to start a new one. */
  readonly pending: PendingPayment | null;
  /** The intent for the next attempt; `null` if a new one must be opened first. */
  readonly opened?: OpenedIntent | null;
}

export type PaymentOutcome =
  | { readonly status: 'complete'; readonly subscription: Subscription }
  | PaymentFailure;

export type PaymentRequest =
  | { readonly kind: 'new'; readonly callerId: string; readonly shown: OpenedIntent }
  | { readonly kind: 'resume'; readonly pending: PendingPayment };

/** Stores payments that may land until they end. Otherwise, closing the tab could lead to a second payment. */
export interface PendingPayments {
  readonly find: (callerId: string) => PendingPayment | null;
  readonly save: (pending: PendingPayment) => void;
  /** Removes this payment, but not another payment to the same caller. */
  readonly forget: (pending: PendingPayment) => void;
}

export interface PaymentDependencies extends PendingPayments {
  readonly open: (input: OpenInput) => Promise<OpenedIntent>;
  readonly buildPayment: (input: PaymentInput) => Promise<Uint8Array>;
  readonly signTransaction: (transaction: Uint8Array) => Promise<Uint8Array>;
  /** Signs and sends, if the wallet can't sign alone; else `null`. */
  readonly payByWallet: ((transaction: Uint8Array) => Promise<void>) | null;
  readonly readSignature: (input: { signed: Uint8Array; reference: string }) => Promise<string | null>;
  readonly sendTransaction: (transaction: string) => Promise<SendTransactionResponse>;
  readonly confirmTransaction: (signature: string) => Promise<ConfirmTransactionResponse | null>;
  readonly searchPayment: (intentId: string) => Promise<Subscription | null>;
  readonly wait: (ms: number) => Promise<void>;
  readonly after: (ms: number, act: () => void) => () => void;
  readonly now: () => number;
}

export interface PaymentControls {
  readonly onProgress: (progress: PaymentProgress) => void;
  /** Aborted when the user stops waiting for the wallet. Has no effect after the signature. */
  readonly signal: AbortSignal;
}

export interface PaymentContext extends PaymentDependencies {
  readonly startStep: (
    step: PaymentStep,
    options?: Pick<PaymentProgress, 'isResending' | 'isDisconnected' | 'isSearching' | 'signBy'>,
  ) => void;
  readonly signal: AbortSignal;
}
