import type { Sort } from './sorts.ts';
import type { CallRpc, Store } from './store.ts';

/** The directory in an order by a rate or return. */
export interface Leaderboard {
  readonly kind: 'leaderboard';
  readonly sort: Sort;
  readonly order: 'asc' | 'desc';
  /** The paths of the directory's loaded pages in their order, such as '/api/callers?sort=avgReturn'. */
  readonly paths: readonly string[];
}

/** One caller by handle or id, a list of the directory, or everything. */
export type Target =
  | { readonly kind: 'caller'; readonly handle: string }
  | Leaderboard
  | { readonly kind: 'all' };

export interface Progress {
  readonly step: string;
  readonly done: number;
  readonly total: number;
}

export interface VerifyOptions {
  readonly target: Target;
  /** Fetches a path of the site. Rejects if there is no response; returns error responses. */
  readonly get: (path: string) => Promise<Response>;
  readonly store: Store;
  /** Calls a Solana RPC endpoint. Null: nothing is confirmed. */
  readonly callRpc: CallRpc | null;
  /** The key and the wallet, if they are known from a source other than the site. */
  readonly known: { readonly key?: string; readonly wallet?: string };
  /** The verifier keys of witnesses whose cosignatures are checked. */
  readonly witnesses: readonly string[];
  readonly now: number;
  readonly onProgress: (progress: Progress) => void;
  /** Accepts a key or wallet that was changed without the old key's signature. */
  readonly isNewKeyTrusted: boolean;
  /** Waits until newer entries are published. Uses a timer if it's left out. */
  readonly wait?: (ms: number) => Promise<void>;
}

const changed = (what: string) => `Don’t rely on this record: ${what}.`;

export const MEANINGS = {
  unavailable: 'The check couldn’t be finished. That says nothing about the record.',
  malformed: 'The record can’t be checked: the site serves something unreadable.',
  signature_wrong: changed('the log isn’t signed by its key'),
  entries_changed: changed('the log was changed afterwards'),
  split_view: changed('there are two versions of the log'),
  stale_checkpoint: changed('newer entries are withheld'),
  key_changed: changed('the key or the wallet isn’t the one you know'),
  chain_broken: changed('calls are missing or were changed'),
  commitment_broken: changed('a call isn’t what was sealed when it was opened'),
  never_opened: changed('a call was sealed and never shown'),
  wrong_time: changed('a time is wrong, unless this device’s clock is'),
  rule_broken: changed('it breaks the rules of the log'),
  identity_changed: changed('it belongs to more than one account on X'),
  text_differs: 'Don’t rely on this text: it isn’t the one that was logged.',
  name_differs: 'Don’t rely on the name: this record may be another caller’s.',
  call_differs: 'Don’t rely on the calls on this page: the log has others.',
  call_missing: 'Don’t rely on the calls on this page: some are missing or invented.',
  quotes_differ: 'Don’t rely on the figures: the site’s own quotes contradict a rule that it applied.',
  figure_differs: 'Don’t rely on the figures: the log gives others.',
  order_differs: 'Don’t rely on the order: the log gives another one.',
  caller_missing: 'Don’t rely on the order: a caller is missing.',
};
export type Reason = keyof typeof MEANINGS;

export interface Failure {
  readonly reason: Reason;
  readonly meaning: string;
  readonly message: string;
}

export interface Verdict {
  /**
   * 'verified': Solana confirms the log, and nothing contradicts it. 'unconfirmed': everything fits together, but Solana
   * doesn't confirm it, or this verifier doesn't know all entries. 'failed': something contradicts the log. 'later':
   * responses are newer than the published log, so check again in some minutes. 'untrusted': the only
   * headline asks whether to trust a new key. 'unavailable': the site doesn't respond.
   */
  readonly outcome: 'verified' | 'unconfirmed' | 'failed' | 'later' | 'untrusted' | 'unavailable';
  /** Sentences for traders: calls, times, sealed calls, and doubts. Empty if it's failed, later or unavailable. */
  readonly headlines: readonly string[];
  readonly failures: readonly Failure[];
  readonly checked: readonly string[];
  /** The limits of this check, and of every check. */
  readonly notes: readonly string[];
  /** The key and the wallet that were used, for the visitor to compare with the README. */
  readonly key: string | null;
  readonly wallet: string | null;
}
