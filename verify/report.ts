export type Reason =
  /** The site didn't respond, or its response has the wrong form. */
  | 'unavailable'
  | 'malformed'
  /** The key isn't the one that was used before, or its id is wrong. */
  | 'wrong_key'
  | 'bad_signature'
  /** Two trees of the log contradict each other. */
  | 'split_view'
  | 'stale_checkpoint'
  | 'not_in_log'
  | 'number_skipped'
  | 'out_of_order'
  | 'chain_broken'
  | 'entries_missing'
  | 'map_wrong'
  | 'commitment_broken'
  | 'text_differs'
  | 'name_differs'
  | 'wrong_time'
  | 'never_opened'
  | 'rule_broken'
  | 'statistic_differs'
  | 'order_differs'
  | 'callers_missing'
  | 'anchor_differs'
  | 'receipt_broken'
  | 'tile_differs';

/** A failure that stops the check. The message is a plain sentence for people. */
export class Problem extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, message: string) {
    super(message);
    this.reason = reason;
  }
}

export type OnProgress = (step: string, done?: number, total?: number) => void;

/** The results of the checks. Without failures, everything in `checked` is right. */
export type Verdict = Pick<Report, 'checked' | 'unchecked' | 'failures' | 'isPostponed'>;

/** Collects the results of all checks. */
export class Report {
  readonly checked: string[] = [];
  readonly unchecked: { readonly what: string; readonly why: string }[] = [];
  readonly failures: { readonly reason: Reason; readonly message: string }[] = [];
  /** True if figures weren't compared, so that the check has to be repeated in some minutes. */
  isPostponed = false;
  readonly onProgress: OnProgress;

  constructor(onProgress: OnProgress = () => undefined) {
    this.onProgress = onProgress;
  }

  fail(reason: Reason, message: string): void {
    this.failures.push({ reason, message });
  }

  skip(what: string, why: string): void {
    this.unchecked.push({ what, why });
  }

  postpone(what: string, why: string): void {
    this.isPostponed = true;
    this.skip(what, why);
  }

  /** Runs steps. A Problem becomes a failure. */
  async attempt(run: () => Promise<void> | void): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.fail(error.reason, error.message);
    }
  }

  /** Runs a check. It has passed if it adds no failure and doesn't skip itself. */
  async check(what: string, run: () => Promise<void> | void): Promise<void> {
    this.onProgress(what);
    const failures = this.failures.length;
    await this.attempt(run);
    const isSkipped = this.unchecked.some((skipped) => skipped.what === what);
    if (this.failures.length === failures && !isSkipped) this.checked.push(what);
  }
}
