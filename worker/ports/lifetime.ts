/**
 * Lets work outlive the request that started it, because other requests may wait for it. Also starts
 * timers.
 */
export interface Lifetime {
  /** Keeps work running after its request has been answered or aborted. */
  keepAlive(work: Promise<unknown>): void;
  /**
   * Starts a timer in real time. It is cancelled with the request.
   * @returns a function that cancels it
   */
  after(milliseconds: number, call: () => void): () => void;
}
