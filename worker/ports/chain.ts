import type { Movements } from '#schema/rules/buys.ts';
import type { LandedTransaction } from '#schema/rules/payment.ts';

export type Commitment = 'confirmed' | 'finalized';

/** 'unknown' covers both "not yet" and "never". `error` is the chain's own, `null` for none. */
export type SignatureState =
  | { readonly status: 'unknown' }
  | { readonly status: 'processed' | Commitment; readonly error: unknown; readonly slot: number };

/** Is the signature in no block up to this slot or block height? */
export interface AbsenceQuestion {
  readonly signature: string;
  readonly upTo: { readonly slot: number } | { readonly blockHeight: number };
}

/** Why the cluster refused a transaction; `detail` is the cluster's own message. */
export interface Rejection {
  readonly reason: 'blockhash_expired' | 'insufficient_funds' | 'other';
  readonly detail: string;
}

export type SendResult = { readonly signature: string } | { readonly rejection: Rejection };

/** A transaction read back from the chain. `blockTime` is unix ms. */
export interface ChainTransaction extends LandedTransaction {
  readonly signature: string;
  readonly slot: number;
}

/** An owner's balance of a token over all their accounts, in its smallest units; above 0. */
export interface TokenHolding {
  readonly mint: string;
  readonly amount: bigint;
  readonly decimals: number;
}

export interface SignatureEntry {
  readonly signature: string;
  readonly slot: number;
  readonly hasFailed: boolean;
}

/**
 * A Solana cluster, reached over two endpoints. Every method throws PortUnavailableError when none answers, and
 * WrongClusterError when one is on another cluster. Addresses and signatures are base58, amounts lamports.
 */
export interface Chain {
  /** The newest slot, processed. */
  slot(): Promise<number>;
  latestBlockhash(): Promise<{ blockhash: string; lastValidBlockHeight: number }>;
  /** The last block height that may include a transaction signed by now, with any blockhash. */
  lastValidBlockHeight(): Promise<number>;
  /** Balances in the order of the addresses; 0n for an account that does not exist. */
  balances(addresses: readonly string[]): Promise<bigint[]>;
  /** The minimum balance of an account without data. */
  rentExemptMinimum(): Promise<bigint>;
  /**
   * Broadcasts a signed transaction. One that the cluster already has counts as sent.
   * @throws PortUnavailableError also for a rejection after an unanswered attempt: the transaction may be on its way
   */
  send(transaction: { bytes: Uint8Array; signature: string }): Promise<SendResult>;
  /** One state for each signature, in their order, however long ago it landed. */
  signatureStates(signatures: readonly string[]): Promise<SignatureState[]>;
  /**
   * The signatures that no endpoint knows, although each has finalized the slot or height in question. The only proof
   * that a transaction isn't on the chain: if an endpoint lags or does not answer, the set is empty.
   */
  absentAtFinalized(questions: readonly AbsenceQuestion[]): Promise<ReadonlySet<string>>;
  /** At commitment confirmed; `null` when it is not visible (yet). */
  transaction(signature: string): Promise<ChainTransaction | null>;
  /** The newest thousand transactions that name the address and did not fail, oldest first. */
  signaturesFor(address: string): Promise<string[]>;
  newestFinalizedSignature(address: string): Promise<string | null>;
  /**
   * Finalized transactions since `after` that name the address and did not fail, oldest first; at most the newest
   * 20,000.
   */
  finalizedSignaturesFor(question: { address: string; after: string | null }): Promise<string[]>;
  /** The newest landed transactions that name the address, newest first, failed ones included. */
  newestSignatures(question: { address: string; limit: number }): Promise<SignatureEntry[]>;
  /** In the order of the signatures; leaves out transactions that are not visible. */
  movements(signatures: readonly string[]): Promise<Movements[]>;
  /** Of both token programs. */
  tokenHoldings(owner: string): Promise<TokenHolding[]>;
}
