import type {
  ConfirmTransactionAnswer,
  PaymentIntent,
  SendTransactionAnswer,
} from '#schema/contracts/payments.ts';
import type { PaidSubscriptionBody, Subscription } from '#schema/contracts/subscriptions.ts';
import type { PaymentInput } from './build-payment.ts';
import type { OpenedIntent, OtherPayment, PaymentTerms } from './payment-terms.ts';

export const PAYMENT_STEPS = ['intent', 'sign', 'send', 'confirm', 'activate'] as const;
export type PaymentStep = (typeof PAYMENT_STEPS)[number];

/**
 * `isSlow` is true once the step takes longer than usual. `isResending` is true if Solana didn't accept the payment at
 * first, so the server keeps sending it. `isDisconnected` is true while the signed payment can't reach the server.
 */
export interface PaymentProgress {
  readonly step: PaymentStep;
  readonly isSlow: boolean;
  readonly isResending?: boolean;
  readonly isDisconnected?: boolean;
}

/** A payment that the wallet has signed. No other payment to this caller starts until it ends. */
export interface SignedPayment {
  readonly callerId: string;
  readonly intent: PaymentIntent;
  /** Base58. */
  readonly signature: string;
  /** The signed transaction in base64, kept so that it can be sent again. */
  readonly transaction: string;
  /** Unix ms when the transaction's blockhash was fetched. */
  readonly openedAt: number;
  readonly hasLanded: boolean;
}

export interface PaymentReceipt {
  readonly terms: PaymentTerms;
  readonly signature: string;
  readonly subscription: Subscription;
}

export interface PaymentFailure {
  readonly status: 'failed';
  readonly title: 'Payment failed' | 'Payment not confirmed yet' | 'Subscription failed';
  readonly reason: string;
  /** A signed payment that may still land and can be resumed; `null` if it is safe to start a new one. */
  readonly pending: SignedPayment | null;
  /** The intent for the next attempt; `null` if a new one must be opened first. */
  readonly opened?: OpenedIntent | null;
  /** Set if another transaction has made this payment or is about to make it, so there is nothing to pay. */
  readonly otherPayment?: OtherPayment;
}

export type PaymentOutcome =
  | { readonly status: 'complete'; readonly receipt: PaymentReceipt }
  | PaymentFailure;

/** A new payment on the shown terms, or a payment that was signed earlier. */
export type PaymentRequest =
  | { readonly kind: 'new'; readonly callerId: string; readonly shown: OpenedIntent }
  | { readonly kind: 'resume'; readonly pending: SignedPayment };

/** Stores signed payments until they end. Otherwise, closing the tab could lead to a second payment. */
export interface PendingPayments {
  /** Returns an unfinished signed payment to this caller. It may be from another tab. */
  readonly find: (callerId: string) => SignedPayment | null;
  readonly keep: (pending: SignedPayment) => void;
  /** Removes this payment. Keeps another payment to the same caller. */
  readonly forget: (pending: SignedPayment) => void;
}

export interface PaymentDependencies extends PendingPayments {
  readonly open: (input: { callerId: string; payer: string }) => Promise<OpenedIntent | OtherPayment>;
  readonly buildPayment: (input: PaymentInput) => Promise<Uint8Array>;
  readonly signTransaction: (transaction: Uint8Array) => Promise<Uint8Array>;
  /** Returns the fee payer's signature in base58, or `null` if it is missing. */
  readonly readSignature: (signed: Uint8Array) => Promise<string | null>;
  readonly sendTransaction: (transaction: string) => Promise<SendTransactionAnswer>;
  /** Returns `null` while the payment may still land. */
  readonly confirmTransaction: (signature: string) => Promise<ConfirmTransactionAnswer | null>;
  /** Returns `null` while the server cannot see the payment yet. */
  readonly claimSubscription: (body: PaidSubscriptionBody) => Promise<Subscription | null>;
  readonly wait: (ms: number) => Promise<void>;
  /** Runs `act` once after `ms`. The returned function cancels it. */
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
    options?: Pick<PaymentProgress, 'isResending' | 'isDisconnected'>,
  ) => void;
  readonly signal: AbortSignal;
}
