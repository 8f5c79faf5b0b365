import type { Clock } from '../../ports/clock.ts';
import { createSolanaRpc, type Chain } from '../../adapters/solana-rpc.ts';

export const STUB_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
export const STUB_KEY = 'made-up-key';
const urls = {
  primary: `https://one.example/${STUB_KEY}`,
  fallback: `https://two.example/?api-key=${STUB_KEY}`,
};

export type StubEndpoint = keyof typeof urls;

/** A result, a JSON-RPC error, an HTTP response, a closed connection (`cut`), or no response (`hang`). */
export type StubResponse =
  | { result: unknown }
  | { error: { code: number; message: string } }
  | { status: number; retryAfter?: string; body?: string }
  | 'cut'
  | 'hang';

/** The responses of each method in order. The last response repeats. */
export type StubResponses = Readonly<Record<string, StubResponse | readonly StubResponse[]>>;

export interface StubbedChain {
  readonly chain: Chain;
  /** All requests in order, such as "primary getSlot". */
  readonly allRequests: readonly string[];
  /** Requests except those for the cluster's genesis hash. */
  requests(): string[];
  /** The durations of `clock.sleep`, in ms. */
  readonly pauses: readonly number[];
  advance(milliseconds: number): void;
}

export interface StubOptions {
  readonly primary?: StubResponses;
  readonly fallback?: StubResponses;
  readonly random?: () => number;
  readonly signaturesPerRequest?: number;
  /** Default: a clock that only `advance` and `sleep` move. */
  readonly clock?: Clock;
  readonly onBody?: (body: string) => void;
}

/** Creates the adapter with two scripted endpoints, by default both on our cluster. */
export function stubChain({
  primary = {},
  fallback = {},
  random = () => 0.5,
  signaturesPerRequest = 5,
  clock,
  onBody,
}: StubOptions): StubbedChain {
  const allRequests: string[] = [];
  const pauses: number[] = [];
  let now = Date.UTC(2026, 5, 1);
  const responsesOf = {
    primary: { getGenesisHash: { result: STUB_GENESIS }, ...primary },
    fallback: { getGenesisHash: { result: STUB_GENESIS }, ...fallback },
  };

  const fetchStub = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const endpoint: StubEndpoint = String(input).startsWith('https://one.') ? 'primary' : 'fallback';
    const { id, method } = JSON.parse(String(init?.body)) as { id: unknown; method: string };
    const count = allRequests.filter((each) => each === `${endpoint} ${method}`).length;
    allRequests.push(`${endpoint} ${method}`);
    onBody?.(String(init?.body));
    const responses: StubResponses = responsesOf[endpoint];
    const all = [responses[method] ?? { error: { code: -32601, message: 'Method not found' } }].flat();
    const response = all[Math.min(count, all.length - 1)] as StubResponse;
    if (response === 'hang') return new Promise(() => undefined);
    if (response === 'cut') throw new TypeError(`Fetch API cannot load: ${String(input)}`);
    if ('status' in response) {
      return new Response(response.body ?? 'refused', {
        status: response.status,
        headers: response.retryAfter === undefined ? {} : { 'Retry-After': response.retryAfter },
      });
    }
    return Response.json({ jsonrpc: '2.0', id, ...response });
  };

  const stubClock: Clock = {
    now: () => now,
    sleep: async (milliseconds) => {
      pauses.push(milliseconds);
      now += milliseconds;
    },
  };
  return {
    chain: createSolanaRpc({
      urls,
      genesisHash: STUB_GENESIS,
      signaturesPerRequest,
      clock: clock ?? stubClock,
      random,
      fetch: fetchStub,
    }),
    allRequests,
    requests: () => allRequests.filter((each) => !each.endsWith('getGenesisHash')),
    pauses,
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}
