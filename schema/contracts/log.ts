/** An entry and its place in the log. Its members: docs/SEALED-CALLS.md. */
export interface LoggedEntry {
  readonly index: number;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** An opened text. `number` is the caller's entry that has its commitment. */
export interface LoggedText {
  readonly number: number;
  readonly salt: string;
  readonly text: string;
}

/** A transaction on the chain that has the log's root. */
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
  /** The signed note. */
  readonly checkpoint: string;
  readonly map: LoggedEntry & { readonly leaf: string; readonly path: readonly string[] };
  readonly entries: readonly LoggedEntry[];
  /** The maps before and after the entries. */
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
