/** Lets work continue after the request that started it, because others may wait for its result. */
export interface Lifetime {
  keepAlive(work: Promise<unknown>): void;
  /**
   * Starts a timer in real time. The timer is cancelled together with the request.
   * @returns a function that cancels the timer
   */
  after(milliseconds: number, call: () => void): () => void;
}
