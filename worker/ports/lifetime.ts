/** How long work lives that one request begins and others wait for. */
export interface Lifetime {
  /** Lets work go on after the request that began it is answered or broken off. */
  keepAlive(work: Promise<unknown>): void;
  /** Calls after so many milliseconds of the machine's own time, unless it is cancelled or the request has ended. Gives what cancels it. */
  after(milliseconds: number, call: () => void): () => void;
}
