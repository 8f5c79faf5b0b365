import { z } from 'zod';
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
  readonly result: { readonly value: readonly [{ readonly err: unknown; readonly confirmationStatus: 'confirmed' | 'finalized' }] };
}
