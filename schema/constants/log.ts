import { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS } from './time.ts';

export const LOG_EVENT_KINDS = [
  'keys',
  'format',
  'opened',
  'updated',
  'ended',
  'marked',
  'named',
  'hidden',
  'deleted',
] as const;
/** The limit comes from tlog-tiles, which stores an entry's length in two bytes. */
export const LOG_ENTRY_MAX_BYTES = 65_535;
export const LOG_CHECKPOINT_MAX_ENTRIES = 512;
/** The entries whose texts are on one page of `/log/texts`. */
export const LOG_TEXTS_ENTRIES = 100;
/** The time within which each entry is published. */
export const LOG_DUE_MS = 2 * MINUTE_MS;
/** A run of the cron signs checkpoints until it has caught up, or for this long. */
export const LOG_SEQUENCE_MS = 10 * SECOND_MS;
/** An entry leaves the database this long after the end of its call, if its bundle is in R2. */
export const LOG_ARCHIVE_AFTER_MS = 90 * DAY_MS;
/** Interval at which the log's root is written to the chain, if the log has grown. */
export const LOG_ANCHOR_MS = 5 * MINUTE_MS;
/** Interval at which the log's root is written to the chain in any case. */
export const LOG_ANCHOR_MAX_MS = HOUR_MS;
/** An entry is late if the first anchor that covers it has a later block than this. An alarm is raised, too. */
export const LOG_ANCHOR_LATE_MS = 15 * MINUTE_MS;
/** An entry counts as late without an anchor only after this time, because we may learn of an anchor minutes later. */
export const LOG_UNANCHORED_MS = 20 * MINUTE_MS;
/** An alarm is raised when the anchor wallet has less than this many fees left, which last about a month. */
export const LOG_ANCHOR_RESERVE = 10_000n;
