/** Lets work continue after the request that started it, because others may wait for its result. */
export interface Lifetime {
  keepAlive(work: Promise<unknown>): void;
}
