import { MEANINGS, type Failure, type Reason } from './options.ts';

/** A failure that stops the check. The message is a plain sentence for people. */
export class Problem extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The check stops unless the visitor trusts a new key. The message asks for it. */
export class Untrusted extends Error {}

/** Responses are newer than the published log, so the check has to be repeated in some minutes. */
export class Later extends Error {}

const MAX_FAILURES = 100;

export class Report {
  readonly checked: string[] = [];
  readonly notes = new Set<string>();
  readonly warnings = new Set<string>();
  /** Why Solana doesn't confirm the log. Empty if it does. */
  readonly unconfirmed = new Set<string>();
  /** How many entries are newer than this verifier. */
  newer = 0;
  /** How many requests the Solana endpoint got. */
  requests = 0;
  readonly failures: Failure[] = [];
  isLater = false;
  #failed = 0;

  fail(reason: Reason, message: string): void {
    this.#failed += 1;
    if (this.failures.length >= MAX_FAILURES) return;
    this.failures.push({ reason, message, meaning: MEANINGS[reason] });
  }

  /** Runs a check. It has passed if it adds no failure. A Problem becomes a failure. */
  async check(what: string, run: () => Promise<void> | void): Promise<void> {
    const before = this.#failed;
    try {
      await run();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.fail(error.reason, error.message);
    }
    if (this.#failed === before && !this.isLater) this.checked.push(what);
  }
}

/** True if the visitor has stopped the check. */
export const isAborted = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

export const formatTime = (time: number): string =>
  `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

export const count = (many: number, noun: string): string =>
  `${many.toLocaleString('en-US')} ${noun}${many === 1 ? '' : 's'}`;
