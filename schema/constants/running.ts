import { MINUTE_MS, HOUR_MS, DAY_MS } from './time.ts';

/** An alarm is raised if the cron hasn't run for this long, and again after each reminder interval. */
export const CRON_SILENCE_MS = 2.5 * MINUTE_MS;
export const CRON_REMINDER_MS = HOUR_MS;

/** The things that users do. Each can have an outage. */
export const ABILITIES = ['pages', 'sign_in', 'payments', 'calls', 'messages', 'posts'] as const;
/** Users can't do something if this many of them failed in this time and none succeeded. */
export const OUTAGE_PEOPLE = 3;
export const OUTAGE_WINDOW_MS = 5 * MINUTE_MS;
/**
 * Users can't do something, either, if this many of our own probes failed in a row, or a third party refused us this
 * often, and no user succeeded since.
 */
export const OUTAGE_STREAK = 2;
/** After this time, nobody knows whether a third party would still refuse us. */
export const REFUSAL_REMEMBERED_MS = HOUR_MS;
/** The alarm of an outage that goes on, or comes back, is raised again after this time. */
export const OUTAGE_REMINDER_MS = HOUR_MS;
/** Each isolate reports its users' outcomes at most once in this time. */
export const OUTCOMES_REPORT_MS = MINUTE_MS;
/** A job of the cron that has been due for longer counts as stuck. */
export const JOB_LATE_MS = 30 * MINUTE_MS;
/** The nightly export begins this long after midnight UTC, when the daily check of the ledger is done. */
export const BACKUP_AFTER_MS = 3 * HOUR_MS;
export const BACKUPS_KEPT_MS = 30 * DAY_MS;

/** The maximum number of times that operators can unhide texts of one active call. */
export const MAX_SEALED_SHOWS = 25;
export const HIDEABLE_TEXTS = ['bio', 'thesis', 'update'] as const;
export const OPERATOR_ACTIONS = [
  'verify',
  'unverify',
  'suspend',
  'unsuspend',
  'hide_caller',
  'show_caller',
  'hide_text',
  'show_text',
  'resolve_orphan',
  'release_payment',
  'resend_event',
  'dismiss_event',
  'end_access',
  'resolve_reports',
  'pause',
  'resume',
  'add_note',
  'remove_note',
  'delete_account',
  'keep_account',
] as const;
/** The console's pages about one thing. */
export const OPERATORS_PAGES = ['person', 'payment', 'call', 'earned'] as const;
export const PAUSABLE = ['payments', 'calls', 'posting'] as const;
export const OPERATOR_REASON = { minLength: 3, maxLength: 500 } as const;
/** Maximum age of the sign-in for an operator's actions. */
export const OPERATOR_SIGN_IN_MS = 12 * HOUR_MS;
export const OPERATORS_PAGE_SIZE = 50;
/** Orphan payments below this amount (0.001 SOL) can be resolved together. */
export const SMALL_ORPHAN_LAMPORTS = 1_000_000;
