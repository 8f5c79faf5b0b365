export interface RunOptions {
  readonly histories?: number;
  readonly seed?: number;
  /** The path by which fast-check finds one history of a seed. */
  readonly path?: string;
  /** True to search for a shorter history that fails. This takes minutes. */
  readonly shrink?: boolean;
}

/** The prefix of output lines that are a report in JSON. */
export const REPORT = 'payments-model ';

/** How many histories and steps were played, and how often each kind of event has happened. */
export type Counts = Record<string, number>;

export type Report =
  | { readonly counts: Counts }
  | {
      readonly violation: string;
      /** The history's steps, one per line. */
      readonly trace: string;
      readonly seed: number;
      readonly afterHistories: number;
    };
