/** How the model is run. `npm test` leaves all of it out. */
export interface RunOptions {
  readonly histories?: number;
  readonly seed?: number;
  /** fast-check's own path to one history. */
  readonly path?: string;
  /** Looks for a shorter history that fails too; takes minutes. */
  readonly shrink?: boolean;
}

/** What a run says of itself, as JSON in lines that begin with this. */
export const REPORT = 'payments-model ';

export interface Tally {
  histories: number;
  steps: number;
  /** What happened in them: lines of the ledger by kind, orphans, operations that died, questions that the chain failed. */
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
      /** What happened, line by line. */ readonly trace: string;
      readonly seed: number;
      readonly afterHistories: number;
    };
