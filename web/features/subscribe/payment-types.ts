import type {
  ConfirmTransactionAnswer,
  PaymentIntent,
  SendTransactionAnswer,
} from '#schema/contracts/payments.ts';
import type { PaidSubscriptionBody, Subscription } from '#schema/contracts/subscriptions.ts';
import type { OpenedIntent, OtherPayment, PaymentTerms } from './payment-terms.ts';

/** The steps of a payment in their order. */
export const PAYMENT_STEPS = ['intent', 'sign', 'send', 'confirm', 'activate'] as const;
export type PaymentStep = (typeof PAYMENT_STEPS)[number];

/** Where a payment is; `isSlow` once that takes longer than usual. */
export interface PaymentProgress {
  readonly step: PaymentStep;
  readonly isSlow: boolean;
}

/** A payment that the wallet has signed: from here on it is this one that goes on, never a second one. */
export interface SignedPayment {
  readonly callerId: string;
  readonly intent: PaymentIntent;
  /** Base58. */
  readonly signature: string;
  /** The signed transaction in base64, to be sent again if need be. */
  readonly transaction: string;
  /** When its blockhash was fetched, unix ms. */
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
  /** What has been signed and may still land, to be gone on with; `null` when it is safe to pay anew. */
  readonly pending: SignedPayment | null;
  /** What the next attempt pays in place of what was shown; `null` when it has to be prepared first. */
  readonly opened?: OpenedIntent | null;
  /** Another transaction has made this payment or is about to: there is nothing to pay again. */
  readonly elsewhere?: OtherPayment;
}

export type PaymentOutcome =
  | { readonly status: 'complete'; readonly receipt: PaymentReceipt }
  | PaymentFailure;

/** Either new money on the terms that were shown, or what was signed before. */
export type PaymentRequest =
  | { readonly kind: 'new'; readonly callerId: string; readonly shown: OpenedIntent }
  | { readonly kind: 'resume'; readonly pending: SignedPayment };

export interface PaymentDependencies {
  readonly open: (input: { callerId: string; payer: string }) => Promise<OpenedIntent | OtherPayment>;
  readonly buildPayment: (input: {
    intent: PaymentIntent;
    payer: string;
    blockhash: string;
  }) => Promise<Uint8Array>;
  readonly signTransaction: (transaction: Uint8Array) => Promise<Uint8Array>;
  /** The fee payer's signature in base58, or `null` when it is missing. */
  readonly readSignature: (signed: Uint8Array) => Promise<string | null>;
  readonly sendTransaction: (transaction: string) => Promise<SendTransactionAnswer>;
  /** `null` while the server has it and it may still land. */
  readonly confirmTransaction: (signature: string) => Promise<ConfirmTransactionAnswer | null>;
  /** `null` while the server cannot see the payment yet. */
  readonly claimSubscription: (body: PaidSubscriptionBody) => Promise<Subscription | null>;
  /** What was signed for this caller before, in this tab or another one. */
  readonly find: (callerId: string) => SignedPayment | null;
  /** Keeps what was signed across a closed tab. */
  readonly keep: (pending: SignedPayment) => void;
  readonly forget: (pending: SignedPayment) => void;
  readonly wait: (ms: number) => Promise<void>;
  /** Acts once after that time, unless it is called off before. */
  readonly after: (ms: number, act: () => void) => () => void;
  readonly now: () => number;
}

export interface PaymentWatch {
  readonly onProgress: (progress: PaymentProgress) => void;
  /** Aborted when the person stops waiting for the wallet. From the signature on it changes nothing. */
  readonly signal: AbortSignal;
}

/** What the steps of one payment share. */
export interface PaymentContext extends PaymentDependencies {
  readonly enter: (step: PaymentStep) => void;
  readonly signal: AbortSignal;
}
