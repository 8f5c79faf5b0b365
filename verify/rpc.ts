import { fetchPatiently } from './patient-fetch.ts';
import { NewerVersionError, type CallRpc } from './store.ts';

/** JSON-RPC's error code for a transaction of a newer version than the request allows. */
const NEWER_VERSION = -32015;

/** Calls this Solana RPC endpoint. Rejects if it doesn't respond or responds with an error. */
export const createCallRpc =
  (url: string): CallRpc =>
  async (method, params) => {
    const response = await fetchPatiently(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    if (!response.ok) throw new Error(`${new URL(url).host} responds with ${response.status}.`);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The caller checks the result.
    const { result, error } = (await response.json()) as {
      result?: unknown;
      error?: { code: number; message: string };
    };
    if (error?.code === NEWER_VERSION) throw new NewerVersionError(error.message);
    if (error !== undefined) throw new Error(`${new URL(url).host}: ${error.message}`);
    return result;
  };
