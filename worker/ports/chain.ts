import type { Movements } from '#schema/rules/calls/buys.ts';
import type { LandedTransaction } from '#schema/rules/money/payment.ts';
import type { MintScale } from '#schema/rules/prices/units.ts';

export type Commitment = 'confirmed' | 'finalized';

/**
 * 'unknown': the transaction isn't on the chain (yet). `error` is the transaction's error on the chain; `null` if it
 * succeeded.
 */
export type SignatureState =
  | { readonly status: 'unknown' }
  | { readonly status: 'processed' | Commitment; readonly error: unknown; readonly slot: number };

/** Asks whether a signature is missing in all blocks up to this slot or block height. */
export interface AbsenceQuery {
  readonly signature: string;
  readonly upTo: { readonly slot: number } | { readonly blockHeight: number };
}

export interface Rejection {
  readonly reason: 'blockhash_expired' | 'insufficient_funds' | 'other';
  readonly detail: string;
}

export type SendResult = { readonly signature: string } | { readonly rejection: Rejection };

export interface ChainTransaction extends LandedTransaction {
  readonly signature: string;
  readonly slot: number;
  readonly memos: readonly string[];
}

/**
 * A transaction as far as the endpoints can tell. 'absent': not visible (yet). 'unreadable': on the chain, in a version
 * that no endpoint can give us, so what it did is unknown.
 */
export type Reading<Transaction> = Transaction | 'absent' | 'unreadable';

export interface MovementsReading {
  /** In the order of the signatures, without those that are absent or unreadable. */
  readonly movements: readonly Movements[];
  readonly unreadable: readonly string[];
}

/** An owner's total balance of a token over all their accounts, in its smallest unit. Always above 0. */
export interface TokenHolding {
  readonly mint: string;
  readonly amount: bigint;
  readonly decimals: number;
}

export interface SignatureEntry {
  readonly signature: string;
  readonly slot: number;
  readonly hasFailed: boolean;
  /** The block's time, unix ms. Null if the endpoint doesn't know it. */
  readonly at: number | null;
  /** All memos of the transaction with their lengths, such as "[5] hello; [2] ok". */
  readonly memo: string | null;
}

export interface TokenAccount {
  readonly address: string;
  /** In the token's smallest unit. 0n if the account is empty or doesn't exist. */
  readonly amount: bigint;
}

/** The finalized transaction of an address up to which earlier pages have listed everything. */
export interface ListedPosition {
  readonly signature: string;
  /** 0 stands for the time before the address's first transaction. */
  readonly slot: number;
}

/** A page that reaches back to this position contains the rest of the address's history. */
export const FIRST_POSITION: ListedPosition = { signature: '', slot: 0 };

export interface FinalizedPageQuery {
  readonly address: string;
  readonly before: string | null;
  readonly positions: readonly ListedPosition[];
}

export interface FinalizedPage {
  /** Newest first, including failed transactions. All transactions of a slot are on the same page. */
  readonly entries: readonly SignatureEntry[];
  /**
   * - `more`: older transactions follow on the next page.
   * - `met`: the entries reach back to one of the positions.
   * - `passed`: the list has ended, or is older than all positions, without having any of them.
   * - `unknown`: no endpoint knows the signature `before`.
   */
  readonly end: 'more' | 'met' | 'passed' | 'unknown';
}

/** `failure`: why the endpoint can't be used, without its address; `null` if it works. */
export interface EndpointState {
  readonly endpoint: string;
  readonly failure: string | null;
}

/**
 * A Solana cluster, reached over two endpoints. Every method throws PortUnavailableError if no endpoint responds, and
 * WrongClusterError if one is on another cluster. Addresses and signatures are base58, amounts lamports.
 */
export interface Chain {
  /** The newest slot at commitment 'processed'. */
  slot(): Promise<number>;
  /** How long the slots of about the last minute lasted on average, in ms. Needs the cluster's performance samples. */
  slotMs(): Promise<number>;
  /** The time of the first block from this slot on, unix ms. @throws PortUnavailableError if no endpoint knows it */
  blockTime(slot: number): Promise<number>;
  latestBlockhash(): Promise<{ blockhash: string; lastValidBlockHeight: number }>;
  /** The last block height that can include a transaction that is signed now, with any valid blockhash. */
  lastValidBlockHeight(): Promise<number>;
  /** The newest block height at commitment 'confirmed'. */
  blockHeight(): Promise<number>;
  /**
   * The lowest prices at which transactions with these writable accounts landed in recent slots, the oldest
   * slot first, in micro-lamports per compute unit. Empty if the endpoint doesn't know them.
   */
  recentPrices(writable: readonly string[]): Promise<bigint[]>;
  /** Checks that each endpoint responds and keeps up with the other one. Throws only WrongClusterError. */
  endpointStates(): Promise<EndpointState[]>;
  /** The balances in the order of the addresses. An account that doesn't exist has 0n. */
  balances(addresses: readonly string[]): Promise<bigint[]>;
  /** The minimum for an account without data, in lamports. */
  rentExemptMinimum(): Promise<bigint>;
  /**
   * Broadcasts a signed transaction. Succeeds if the cluster already has it.
   * @throws PortUnavailableError if no endpoint responds, or if a rejection follows an attempt without a response,
   * because the transaction may still land.
   */
  send(transaction: { bytes: Uint8Array; signature: string }): Promise<SendResult>;
  /** The states in the order of the signatures. Finds signatures of any age. */
  signatureStates(signatures: readonly string[]): Promise<SignatureState[]>;
  /**
   * Returns the signatures that no endpoint knows, although each endpoint has finalized the given slot or height. This
   * is the only proof that a transaction isn't on the chain. If an endpoint lags or doesn't respond, the other one
   * suffices once it has finalized 1,500 blocks more than the given height. For a given slot, both endpoints are always
   * needed.
   */
  absentAtFinalized(queries: readonly AbsenceQuery[]): Promise<ReadonlySet<string>>;
  /** Reads a transaction at commitment 'confirmed'. */
  transaction(signature: string): Promise<Reading<ChainTransaction>>;
  /** The newest thousand successful transactions that name the address, oldest first. */
  signaturesFor(address: string): Promise<string[]>;
  /** Lists finalized transactions that name the address, from any endpoint that knows `before` and a position. */
  finalizedPage(query: FinalizedPageQuery): Promise<FinalizedPage>;
  /** The first page, from the endpoint that has the newest transactions. */
  newestFinalizedPage(query: Omit<FinalizedPageQuery, 'before'>): Promise<FinalizedPage>;
  /** The newest transactions that name the address and are in a block, newest first, including failed ones. */
  newestSignatures(query: { address: string; limit: number }): Promise<SignatureEntry[]>;
  movements(signatures: readonly string[]): Promise<MovementsReading>;
  /**
   * The owner's finalized accounts of a token. First the associated accounts of both token programs, even if they don't
   * exist, because they may have existed before; then the others, those with the most tokens first.
   */
  tokenAccounts(query: { owner: string; mint: string }): Promise<TokenAccount[]>;
  tokenHoldings(owner: string): Promise<TokenHolding[]>;
  /** How mints are scaled: null if not at all, undefined for a mint that doesn't exist or can't be read. */
  mintScales(mints: readonly string[]): Promise<ReadonlyMap<string, MintScale | null | undefined>>;
}
