/** An entry and its index in the log. docs/SEALED-CALLS.md describes the members of an entry. */
export interface LoggedEntry {
  readonly index: number;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** A revealed text. `number` is the number of the caller's entry that has the commitment to it. */
export interface LoggedText {
  readonly number: number;
  readonly salt: string;
  readonly text: string;
}

/** A transaction on the chain whose memo has the log's root. */
export interface LogAnchor {
  readonly size: number;
  readonly root: string;
  readonly signature: string;
  /** Unix ms. */
  readonly at: number;
}

/** A caller's entries with everything that proves them. Hashes are base64. */
export interface LogRecord {
  readonly caller: string;
  /** A signed note of c2sp.org/signed-note. */
  readonly checkpoint: string;
  readonly map: LoggedEntry & { readonly leaf: string; readonly path: readonly string[] };
  readonly entries: readonly LoggedEntry[];
  /** The log's map entries before and after the caller's entries, which show when these were logged. */
  readonly minutes: readonly LoggedEntry[];
  readonly proof: readonly string[];
  readonly anchor: LogAnchor | null;
  readonly texts: readonly LoggedText[];
}

export interface LogAnchors {
  /** The wallet that signs the anchors. */
  readonly address: string;
  /** Newest first. */
  readonly anchors: readonly LogAnchor[];
}
