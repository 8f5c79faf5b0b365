import type { Movements } from '#schema/rules/calls/buys.ts';
import type { LandedTransaction } from '#schema/rules/money/payment.ts';

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
