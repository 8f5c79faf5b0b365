import { MINUTE_MS, HOUR_MS, DAY_MS } from './time.ts';

/** A user accepts these before the first payment and before becoming a caller. */
export const DOCUMENTS = ['terms', 'privacy', 'risk'] as const;
/** The date of each document. With a new date, every user has to accept the document again. */
export const DOCUMENT_VERSIONS = {
  terms: '2026-11-24',
  privacy: '2026-11-30',
  risk: '2026-11-27',
} as const satisfies Record<(typeof DOCUMENTS)[number], string>;

/** The portfolio loads the results of all callers whom a user follows on paper. */
export const MAX_PAPER_FOLLOWS = 30;

// Sessions and API keys
export const SESSION_SLIDING_MS = 30 * DAY_MS;
export const SESSION_ABSOLUTE_MS = 90 * DAY_MS;
/** A cookie that scripts can read: it says that this browser has a session, which may have ended since. */
export const SIGNED_IN_COOKIE = 'signed-in';
/** The last use of a session is recorded at most once in this time. */
export const SESSION_USE_MS = HOUR_MS;
/** A user has at most this many sessions. A further sign-in ends the session that was used least recently. */
export const MAX_SESSIONS = 100;
export const MAX_API_KEYS = 20;
/** The ways into an account, in the order in which their ends are reported. */
export const WAY_KINDS = [
  'session',
  'key',
  'webhook',
  'telegram_link',
  'telegram',
  'chat',
  'push',
  'x',
] as const;
export type WayKind = (typeof WAY_KINDS)[number];
/** API keys end after a year. */
export const API_KEY_MS = 365 * DAY_MS;
export const API_KEY_PREFIX = 'sc_';
export const MAX_API_KEY_NAME_LENGTH = 60;
/** A device counts as new again this long after its last sign-in. No session lasts this long. */
export const DEVICE_REMEMBERED_MS = 180 * DAY_MS;
export const NEW_DEVICE_SHOWN_MS = 7 * DAY_MS;
export const SIGN_IN_ATTEMPT_MS = 10 * MINUTE_MS;
/** Changing a payout wallet, and making a way into the account, such as an API key, need a sign-in this recent. */
export const FRESH_SIGN_IN_MS = 15 * MINUTE_MS;

// Accounts
export const BIO_MAX_LENGTH = 500;
/** An export has parts of at least this many rows, and of less than twice as many. */
export const EXPORT_PAGE_SIZE = 1_000;
/** A deletion erases one slice of the texts at once. The cron erases the others, at most this many slices a run. */
export const ERASED_CALLS_PER_SLICE = 100;
export const ERASED_SALTS_PER_SLICE = 1_000;
export const ERASED_SLICES_PER_RUN = 20;
/** Parts of exports. The data of most people is one part. */
export const DATA_EXPORTS = { burst: 1_000, everyMs: MINUTE_MS } as const;
export const DELETION_MAX_WAIT_MS = 30 * DAY_MS;

// Reports
export const REPORTED_KINDS = ['caller', 'call', 'update'] as const;
export const REPORT_REASONS = ['impersonation', 'scam', 'paid_promotion', 'abuse', 'other'] as const;
export const REPORT_TEXT_MAX_LENGTH = 500;
export const REPORTS_PER_DAY = 20;
/** Limit on one person's reports: REPORTS_PER_DAY at once, then one every `everyMs`. */
export const REPORT_ATTEMPTS = { burst: REPORTS_PER_DAY, everyMs: DAY_MS / REPORTS_PER_DAY } as const;
