import type { Movements } from '#schema/rules/buys.ts';
import type { LandedTransaction } from '#schema/rules/payment.ts';

export type Commitment = 'confirmed' | 'finalized';

/** Where a signature stands. 'unknown' covers both "not yet" and "never". `error` is the chain's own, `null` for none. */
export type SignatureState =
  | { readonly status: 'unknown' }
  | { readonly status: 'processed' | Commitment; readonly error: unknown; readonly slot: number };

/** A signature that is believed not to be in any block up to a slot or a block height. */
export interface AbsenceQuestion {
  readonly signature: string;
  readonly upTo: { readonly slot: number } | { readonly blockHeight: number };
}

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
 * What the product needs of a Solana cluster, which it reaches over several endpoints. Every method throws
 * `chain.unavailable` when none of them answers, and `chain.wrong_cluster` when one of them is on another
 * cluster. Addresses and signatures are base58, amounts lamports.
 */
export interface Chain {
  /** The newest slot that an endpoint has seen. */
  slot(): Promise<number>;
  latestBlockhash(): Promise<{ blockhash: string; lastValidBlockHeight: number }>;
  /** The height of the last block that may include a transaction signed until now, whatever blockhash it carries. */
  lastValidBlockHeight(): Promise<number>;
  /** Balances in the order of the addresses; 0n for an account that does not exist. */
  balances(addresses: readonly string[]): Promise<bigint[]>;
  /** The least an account without data must hold to exist. */
  rentExemptMinimum(): Promise<bigint>;
  /**
   * Broadcasts a signed transaction. One that the cluster has already is sent, not rejected. @throws
   * chain.unavailable also when it was refused after an attempt that nobody answered: it may be on its way
   */
  send(transaction: { bytes: Uint8Array; signature: string }): Promise<SendResult>;
  /** Where signatures stand, however long ago they landed; one for each, in their order. */
  signatureStates(signatures: readonly string[]): Promise<SignatureState[]>;
  /**
   * Those signatures that no endpoint knows, each having finalized what was asked about. Only this says that
   * a transaction is not on the chain: where one endpoint lags or does not answer, none is absent.
   */
  absentAtFinalized(questions: readonly AbsenceQuestion[]): Promise<ReadonlySet<string>>;
  /** The transaction at commitment confirmed, or `null` when it is not visible (yet). */
  transaction(signature: string): Promise<ChainTransaction | null>;
  /** Signatures of landed transactions that name the address, of the newest thousand, oldest first; failed ones left out. */
  signaturesFor(address: string): Promise<string[]>;
  /** The youngest finalized transaction that names the address, or `null` where there is none. */
  newestFinalizedSignature(address: string): Promise<string | null>;
  /** Finalized transactions that name the address and did not fail, oldest first: those younger than `after`, of which there may be too many: then the newest thousands. */
  finalizedSignaturesFor(question: { address: string; after: string | null }): Promise<string[]>;
  /** The newest landed transactions that name the address, newest first, failed ones included. */
  newestSignatures(question: { address: string; limit: number }): Promise<SignatureEntry[]>;
  /** What these transactions moved, in their order; those that are not visible are left out. */
  movements(signatures: readonly string[]): Promise<Movements[]>;
  /** Tokens of both token programs. */
  tokenHoldings(owner: string): Promise<TokenHolding[]>;
}
