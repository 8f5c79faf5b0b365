/** Lets work continue after the request that started it, because others may wait for its result. */
export interface Lifetime {
  keepAlive(work: Promise<unknown>): void;
  /** Waits in real time. If the request is cancelled, the promise never settles. */
  pause(milliseconds: number): Promise<void>;
}
