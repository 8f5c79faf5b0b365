import type { CallRpc } from './store.ts';

const TIMEOUT_MS = 20_000;
const HTTP_TOO_MANY_REQUESTS = 429;
/** Waits at most this often for a response, first a second, then twice as long each time. */
const MAX_WAITS = 5;

/** Calls this Solana RPC endpoint. Rejects if it doesn't respond or responds with an error. */
export function createCallRpc(url: string): CallRpc {
  const call = async (method: string, params: readonly unknown[], waits: number): Promise<unknown> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      credentials: 'omit',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === HTTP_TOO_MANY_REQUESTS && waits < MAX_WAITS) {
      await new Promise((resolve) => setTimeout(resolve, 1_000 * 2 ** waits));
      return call(method, params, waits + 1);
    }
    if (!response.ok) throw new Error(`${new URL(url).host} responds with ${response.status}.`);
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
    if (error !== undefined) throw new Error(`${new URL(url).host}: ${error.message}`);
    return result;
  };
  return (method, params) => call(method, params, 0);
}
