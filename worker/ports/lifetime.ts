/** Work that one request starts and other requests wait for. */
export interface Lifetime {
  /** Lets work go on after its request has been answered or aborted. */
  keepAlive(work: Promise<unknown>): void;
  /** A real-time timer that ends with the request. @returns a function that cancels it */
  after(milliseconds: number, call: () => void): () => void;
}
