import { z } from 'zod';
import type { CallerSummary } from './callers.ts';
import { addressSchema, idSchema, signatureSchema } from './shared.ts';

/** With the wallet that is going to pay, the answer tells what it holds. */
export const openIntentSchema = z.object({ callerId: idSchema, payerAddress: addressSchema.optional() });

/** A signed transaction (at most 1232 bytes on the wire) in base64. */
export const sendTransactionSchema = z.object({ transaction: z.base64().min(1).max(1_700) });

export const confirmTransactionSchema = z.object({ signature: signatureSchema });

/** What the wallet is going to sign. Addresses base58; lamports as decimal strings; the time ISO 8601. */
export interface PaymentIntent {
  readonly id: string;
  readonly reference: string;
  readonly callerAddress: string;
  readonly callerLamports: string;
  readonly platformAddress: string;
  readonly platformLamports: string;
  readonly expiresAt: string;
}

export interface OpenIntentAnswer {
  readonly result: { readonly value: { readonly blockhash: string; readonly lastValidBlockHeight: number } };
  readonly intent: PaymentIntent;
  /** What the paying wallet holds, in lamports; only where the question named it. */
  readonly payerLamports?: string;
  /** The least, in lamports, that an account must hold to exist: the payer keeps at least this, or nothing at all. */
  readonly rentExemptLamports: string;
}

/** `result` is the signature. */
export interface SendTransactionAnswer {
  readonly result: string;
}

/** `value[0].err` is null once the transaction stands on the chain without an error. */
export interface ConfirmTransactionAnswer {
  readonly result: {
    readonly value: readonly [
      { readonly err: unknown; readonly confirmationStatus: 'confirmed' | 'finalized' },
    ];
  };
}

/**
 * `confirmed`: it bought its period, and a fork of the chain could still take it back. `settled`: it is
 * finalized. `revoked`: a fork took it back, and its period with it.
 */
export type PaymentState = 'confirmed' | 'settled' | 'revoked';

/** A payment as both sides of it see it. Amounts are decimal strings in SOL, addresses base58, times ISO 8601. */
export interface PaymentSummary {
  readonly id: string;
  readonly callerAddress: string;
  readonly callerAmount: string;
  readonly platformAddress: string;
  readonly platformAmount: string;
  readonly totalAmount: string;
  readonly signature: string;
  readonly explorerUrl: string;
  /** The block in which the transaction was last seen. */
  readonly slot: number;
  /** The block's own time. */
  readonly paidAt: string;
  /** What it bought; null where it was taken back. */
  readonly period: { readonly startDate: string; readonly endDate: string } | null;
  readonly state: PaymentState;
}

/** A payment for who made it, and for the caller whom it paid. */
export interface Receipt extends PaymentSummary {
  readonly caller: CallerSummary;
  readonly payerAddress: string;
}

/** A payment among a caller's earnings. */
export interface Earning extends PaymentSummary {
  readonly subscriberId: string;
  /** Only of subscribers who are callers themselves, whose profile is public. */
  readonly subscriber: CallerSummary | null;
}
