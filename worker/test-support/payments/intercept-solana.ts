import { vi } from 'vitest';
import { testEnv } from '../test-app.ts';

/** A request to one endpoint. A batch counts as several requests. */
export interface SolanaRequest {
  readonly endpoint: 'primary' | 'fallback';
  readonly method: string;
}

/**
 * Records the product's requests to the local cluster. `change` may replace the results.
 * `vi.restoreAllMocks` ends the recording.
 */
export function interceptSolana(
  change: (request: SolanaRequest, result: unknown) => unknown = (_request, result) => result,
): SolanaRequest[] {
  const { fetch } = globalThis;
  const requested: SolanaRequest[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const endpoint = (
      { [testEnv.SOLANA_RPC_URL]: 'primary', [testEnv.SOLANA_FALLBACK_RPC_URL]: 'fallback' } as const
    )[String(input)];
    if (endpoint === undefined) return fetch(input, init);
    const body = JSON.parse(String(init?.body)) as { method: string } | { method: string }[];
    const requests = [body].flat().map(({ method }): SolanaRequest => ({ endpoint, method }));
    requested.push(...requests);
    const response = await fetch(input, init);
    const [request] = requests;
    if (Array.isArray(body) || !request || !response.ok) return response;
    const pending = await response.json<{ result?: unknown }>();
    return Response.json(
      'result' in pending ? { ...pending, result: change(request, pending.result) } : pending,
    );
  });
  return requested;
}

/**
 * Counts the product's concurrent requests to the local cluster, until `vi.restoreAllMocks`.
 * @returns a function that returns the highest count so far
 */
export function watchConnections(): () => number {
  const { fetch } = globalThis;
  let open = 0;
  let most = 0;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    open += 1;
    most = Math.max(most, open);
    try {
      return await fetch(input, init);
    } finally {
      open -= 1;
    }
  });
  return () => most;
}
