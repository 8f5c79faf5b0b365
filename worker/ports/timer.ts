/** Starts work in time, because the cron runs only once a minute. */
export interface Timer {
  /** An earlier time (unix ms) replaces a later one. Never rejects: the cron does the work within a minute, too. */
  wakeAt(at: number): Promise<void>;
}
