import type { Failure, Reason } from './options.ts';

const CHANGED = 'Don’t rely on this record: the log was changed afterwards.';
const WRONG_RECORD = 'Don’t rely on this record: it contradicts the log.';
const SITE_DIFFERS = 'Don’t rely on the page: it shows something else than the log.';

/** What each failure means for the visitor. */
const MEANINGS: Readonly<Record<Reason, string>> = {
  unavailable: 'The check couldn’t be finished. That says nothing about the record.',
  malformed: 'The record can’t be checked, because the site serves something unreadable.',
  signature_wrong: 'Don’t rely on this record: the log isn’t signed by its key.',
  entries_changed: CHANGED,
  split_view: 'Don’t rely on this record: there are two versions of the log.',
  stale_checkpoint: 'Don’t rely on this record: newer entries are withheld.',
  key_changed: 'Don’t rely on this record: the key or the wallet isn’t the one you know.',
  chain_broken: 'Don’t rely on this record: calls are missing or were changed.',
  commitment_broken: 'Don’t rely on this record: a call isn’t what was sealed when it was opened.',
  never_opened: 'Don’t rely on this record: a call was sealed and never shown.',
  wrong_time: 'Don’t rely on this record: a time is wrong.',
  rule_broken: WRONG_RECORD,
  identity_changed: 'Don’t rely on this record: it belongs to more than one account on X.',
  text_differs: 'Don’t rely on this text: it isn’t the one that was logged.',
  name_differs: 'Don’t rely on the name: this record may be another caller’s.',
  call_differs: SITE_DIFFERS,
  call_missing: 'Don’t rely on the page: it shows other calls than the log.',
  figure_differs: 'Don’t rely on the figures: the log gives others.',
  order_differs: 'Don’t rely on the order: the log gives another one.',
  caller_missing: 'Don’t rely on the order: a caller is missing.',
};

/** A failure that stops the check. The message is a plain sentence for people. */
export class Problem extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The visitor has declined a question, so the check stops. */
export class Declined extends Error {}

/** Responses are newer than the published log, so the check has to be repeated in some minutes. */
export class Later extends Error {}

const MAX_FAILURES = 100;

/** Collects the results of all checks. */
export class Report {
  readonly checked: string[] = [];
  readonly notes: string[] = [];
  readonly failures: Failure[] = [];
  /** Responses are newer than the published log. */
  isLater = false;

  fail(reason: Reason, message: string): void {
    if (this.failures.length >= MAX_FAILURES) return;
    this.failures.push({ reason, message, meaning: MEANINGS[reason] });
  }

  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  /** Runs a check. It has passed if it adds no failure. A Problem becomes a failure. */
  async check(what: string, run: () => Promise<void> | void): Promise<void> {
    const before = this.failures.length;
    try {
      await run();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.fail(error.reason, error.message);
    }
    if (this.failures.length === before && !this.isLater) this.checked.push(what);
  }
}

export const formatTime = (time: number): string =>
  Math.abs(time) < 8.64e15
    ? `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`
    : `${time} ms`;

/** Such as '1 call' and '18 calls'. */
export const count = (many: number, noun: string): string =>
  `${many.toLocaleString('en-US')} ${noun}${many === 1 ? '' : 's'}`;
