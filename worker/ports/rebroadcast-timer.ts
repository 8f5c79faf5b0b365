/** Starts the next rebroadcast of payments in time, because the cron runs only once a minute. */
export interface RebroadcastTimer {
  /**
   * An earlier time (unix ms) replaces a later one. Never rejects. If it fails, the cron sends the payments
   * within a minute.
   */
  wakeAt(at: number): Promise<void>;
}
