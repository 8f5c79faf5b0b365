/** Stores bytes by name between runs: IndexedDB in a browser, a folder in Node. */
export interface Store {
  read(name: string): Promise<Uint8Array | null>;
  write(name: string, bytes: Uint8Array): Promise<void>;
}

/** Calls a method of a Solana RPC endpoint, and returns the `result`. */
export type CallRpc = (method: string, params: readonly unknown[]) => Promise<unknown>;
