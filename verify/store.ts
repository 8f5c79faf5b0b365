/** Stores bytes by name between runs: IndexedDB in a browser, a folder in Node. */
export interface Store {
  read(name: string): Promise<Uint8Array | null>;
  write(name: string, bytes: Uint8Array): Promise<void>;
}

/** The endpoint has the transaction, but in a newer version than this verifier reads. */
export class NewerVersionError extends Error {
  override name = 'NewerVersionError';
}

/** Calls a method of a Solana RPC endpoint, and returns the `result`. @throws NewerVersionError */
export type CallRpc = (method: string, params: readonly unknown[]) => Promise<unknown>;
