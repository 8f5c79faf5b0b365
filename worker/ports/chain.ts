import type { Movements } from '#schema/rules/buys.ts';
import type { LandedTransaction } from '#schema/rules/payment.ts';

export type Commitment = 'confirmed' | 'finalized';

/** Where a signature stands. 'unknown' covers both "not yet" and "never". */
export type SignatureState =
  | { readonly status: 'unknown' }
  | { readonly status: Commitment; readonly error: unknown };

/** Why a cluster refused a transaction; `detail` is its own sentence. */
export interface Rejection {
  readonly reason: 'blockhash_expired' | 'insufficient_funds' | 'other';
  readonly detail: string;
}

export type SendResult = { readonly signature: string } | { readonly rejection: Rejection };

/** A transaction read back from the chain, with where and when it landed. `blockTime` is unix ms. */
export interface ChainTransaction extends LandedTransaction {
  readonly signature: string;
  readonly slot: number;
}

/** What an owner holds of a token over all their accounts of it, in its smallest units, above 0. */
export interface TokenHolding {
  readonly mint: string;
  readonly amount: bigint;
  readonly decimals: number;
}

/** A landed transaction by its signature. */
export interface SignatureEntry {
  readonly signature: string;
  readonly slot: number;
  readonly hasFailed: boolean;
}

/**
 * What the product needs of a Solana cluster. Every method throws `chain.unavailable` when the
 * cluster does not answer. Addresses and signatures are base58, amounts lamports.
 */
export interface Chain {
  latestBlockhash(): Promise<{ blockhash: string; lastValidBlockHeight: number }>;
  /** Balances in the order of the addresses; 0n for an account that does not exist. */
  balances(addresses: readonly string[]): Promise<bigint[]>;
  /** The least an account without data must hold to exist. */
  rentExemptMinimum(): Promise<bigint>;
  /** Broadcasts a signed transaction. One that the cluster has already is sent, not rejected. */
  send(transaction: { bytes: Uint8Array; signature: string }): Promise<SendResult>;
  signatureState(signature: string): Promise<SignatureState>;
  /** The transaction at commitment confirmed, or `null` when it is not visible (yet). */
  transaction(signature: string): Promise<ChainTransaction | null>;
  /** Signatures of landed transactions that name the address, of the newest thousand, oldest first; failed ones left out. */
  signaturesFor(address: string): Promise<string[]>;
  /** The newest landed transactions that name the address, newest first, failed ones included. */
  newestSignatures(question: { address: string; limit: number }): Promise<SignatureEntry[]>;
  /** What these transactions moved, in their order; those that are not visible are left out. */
  movements(signatures: readonly string[]): Promise<Movements[]>;
  /** Tokens of both token programs. */
  tokenHoldings(owner: string): Promise<TokenHolding[]>;
}
