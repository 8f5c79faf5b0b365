import type { CallRpc, Store } from './store.ts';

export type Target =
  /** A handle or an id. */
  { readonly kind: 'caller'; readonly handle: string } | Leaderboard | { readonly kind: 'all' };

/** The directory in an order by a rate or return. */
export interface Leaderboard {
  readonly kind: 'leaderboard';
  readonly sort: 'avgReturn' | 'winRate' | 'followerReturn' | 'proven';
  readonly order: 'asc' | 'desc';
  /** The paths of the directory's loaded pages in their order, such as '/api/callers?sort=avgReturn'. */
  readonly paths: readonly string[];
}

export interface Progress {
  readonly step: string;
  readonly done: number;
  readonly total: number;
}

export interface Question {
  readonly kind: 'bytes' | 'requests' | 'key';
  readonly text: string;
}

export interface VerifyOptions {
  readonly target: Target;
  /** Fetches a path of the site. Rejects if there is no response; returns error responses. */
  readonly get: (path: string) => Promise<Response>;
  readonly store: Store;
  /** Calls a Solana RPC endpoint. Null: times stay unconfirmed. */
  readonly callRpc: CallRpc | null;
  /** The key and the wallet, if they are known from a source other than the site. */
  readonly known: { readonly key?: string; readonly wallet?: string };
  /** The verifier keys of witnesses whose cosignatures are checked. */
  readonly witnesses: readonly string[];
  /** Unix ms. */
  readonly now: number;
  readonly onProgress: (progress: Progress) => void;
  /** Asks before downloads over 30 MB, over 50 requests for anchors, and before a changed key or wallet is accepted. */
  readonly confirm: (question: Question) => Promise<boolean>;
}

/** The kind of a failure. Tests and the command line print it. */
export type Reason =
  | 'unavailable'
  | 'malformed'
  | 'signature_wrong'
  | 'entries_changed'
  | 'stale_checkpoint'
  | 'split_view'
  | 'key_changed'
  | 'chain_broken'
  | 'commitment_broken'
  | 'never_opened'
  | 'wrong_time'
  | 'rule_broken'
  | 'identity_changed'
  | 'text_differs'
  | 'name_differs'
  | 'call_differs'
  | 'call_missing'
  | 'figure_differs'
  | 'order_differs'
  | 'caller_missing';

export interface Failure {
  readonly reason: Reason;
  /** What the failure means for the visitor. */
  readonly meaning: string;
  /** What was found. */
  readonly message: string;
}

export interface Verdict {
  /**
   * 'failed': something contradicts the log. 'later': responses are newer than the published log, so check again in
   * some minutes. 'stopped': the user declined.
   */
  readonly outcome: 'verified' | 'failed' | 'later' | 'stopped';
  /** What a trader needs, in at most three plain sentences: calls, times, sealed calls. Empty if nothing could be said. */
  readonly headlines: readonly string[];
  readonly failures: readonly Failure[];
  readonly checked: readonly string[];
  /** What couldn't be proved. */
  readonly notes: readonly string[];
  /** The key and the wallet that were used, for the visitor to compare with the README. */
  readonly key: string | null;
  readonly wallet: string | null;
}
