export interface RunOptions {
  readonly histories?: number;
  readonly seed?: number;
  /** fast-check's path to one history. */
  readonly path?: string;
  /** Looks for a shorter history that fails, too; takes minutes. */
  readonly shrink?: boolean;
}

/** A line of output that begins with this is a report in JSON. */
export const REPORT = 'payments-model ';

export interface Tally {
  histories: number;
  steps: number;
  /** Counts of events: ledger entries by kind, orphans, killed operations, failed chain requests. */
  granted: number;
  settled: number;
  moved: number;
  revoked: number;
  orphans: number;
  died: number;
  atOnce: number;
  chainFailures: number;
}

export type Report =
  | { readonly tally: Tally }
  | {
      readonly violation: string;
      /** The history's steps, one a line. */ readonly trace: string;
      readonly seed: number;
      readonly afterHistories: number;
    };
