/** Starts the next rebroadcast of payments in time, because the cron runs only once a minute. */
export interface RebroadcastTimer {
  /** An earlier time (unix ms) replaces a later one. Never rejects: the cron sends payments within a minute, too. */
  wakeAt(at: number): Promise<void>;
}
