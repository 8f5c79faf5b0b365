import { Connection, SolanaJSONRPCError } from '@solana/web3.js';
import { z } from 'zod';
import { SECOND_MS } from '#schema/constants/time.ts';
import { withTimeout } from '../shared/with-timeout.ts';

export const ATTEMPT_TIMEOUT_MS = 4 * SECOND_MS;

/** Example: 'primary'. Used in logs instead of the URL, which contains a key. */
export type EndpointName = string;

/**
 * An endpoint sent no usable response. Only this error and SolanaJSONRPCError count against an endpoint. The message
 * must not contain the URL, because that contains a key.
 */
export class EndpointError extends Error {
  readonly retryAfterMs: number | null;

  constructor(message: string, { retryAfterMs = null }: { retryAfterMs?: number | null } = {}) {
    super(message);
    this.name = 'EndpointError';
    this.retryAfterMs = retryAfterMs;
  }
}

/** The endpoint sent a response that web3.js can't read. */
export class UnreadableResponseError extends EndpointError {}

/**
 * The provider's plan refuses the form of our request: a batch, or too many items in a list
 * (`SOLANA_SIGNATURES_PER_REQUEST`). The endpoint works, so this counts as our own error: it marks no endpoint
 * as down and proves nothing about a payment.
 */
export class RequestRefusedError extends Error {
  override name = 'RequestRefusedError';
}

export interface EndpointOptions {
  readonly name: EndpointName;
  readonly url: string;
  readonly genesisHash: string;
  readonly fetch: typeof fetch;
}

const responseSchema = z.union([
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
  z.object({ result: z.unknown() }),
]);

export type Endpoint = ReturnType<typeof createEndpoint>;

export function createEndpoint({ name, url, genesisHash, fetch }: EndpointOptions) {
  const fetchResponse = createFetch(name, fetch);
  const connection = nameFailures(
    name,
    new Connection(url, { commitment: 'confirmed', disableRetryOnRateLimit: true, fetch: fetchResponse }),
  );

  return {
    name,
    connection,
    ...createIdentity({ name, connection, genesisHash }),

    /** One JSON-RPC call, for methods that web3.js lacks or whose error codes it drops. @throws SolanaJSONRPCError */
    async call({ method, params }: { method: string; params: unknown[] }): Promise<unknown> {
      const response = await fetchResponse(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      const body = responseSchema.safeParse(await response.json().catch(() => undefined));
      if (!body.success) throw new EndpointError(`the ${name} endpoint did not respond with JSON-RPC`);
      if ('error' in body.data) {
        assertAccepted(name, body.data.error);
        throw new SolanaJSONRPCError(body.data.error);
      }
      return body.data.result;
    },
  };
}

function createFetch(name: EndpointName, fetch: EndpointOptions['fetch']) {
  return async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const signal = AbortSignal.timeout(ATTEMPT_TIMEOUT_MS);
    const response = await fetch(input, { ...init, signal }).catch((error: unknown) => {
      const reason = error instanceof Error ? error.name : typeof error;
      throw new EndpointError(`the ${name} endpoint did not respond (${reason})`);
    });
    if (response.ok) return response;
    await assertNotRefused(name, response);
    throw new EndpointError(`the ${name} endpoint answered ${response.status}`, {
      retryAfterMs: readRetryAfter(response),
    });
  };
}

/** Statuses of refused requests. Helius refuses a batch with 403, -32403, QuickNode a long list with 413, -32615. */
const REFUSAL_STATUSES: readonly number[] = [403, 413];
const TOO_LARGE_CODE = -32615;
const PLAN_CODE = -32403;

async function assertNotRefused(name: EndpointName, response: Response): Promise<void> {
  if (!REFUSAL_STATUSES.includes(response.status)) {
    await response.body?.cancel();
    return;
  }
  const body = responseSchema.safeParse(await response.json().catch(() => undefined));
  if (body.success && 'error' in body.data) assertAccepted(name, body.data.error);
}

function assertAccepted(name: EndpointName, { code, message }: { code?: unknown; message: string }): void {
  // Providers also send -32403 for a forbidden method or key. Only a refused batch concerns the request's form.
  const isRefused = code === TOO_LARGE_CODE || (code === PLAN_CODE && /batch/i.test(message));
  if (!isRefused) return;
  console.error(JSON.stringify({ event: 'chain.request_refused', endpoint: name, code }));
  throw new RequestRefusedError(`the ${name} endpoint's plan doesn't accept this request (${code})`);
}

/**
 * Makes the connection's methods throw only EndpointError, RequestRefusedError and SolanaJSONRPCError. web3.js throws
 * many kinds of errors for an unreadable response, so every other error counts as one. Decode addresses before the
 * call: an invalid address would count as an unreadable response.
 */
function nameFailures(name: EndpointName, connection: Connection): Connection {
  const refuse = (error: unknown): never => {
    if (error instanceof SolanaJSONRPCError) assertAccepted(name, error);
    if (isNamed(error)) throw error;
    const reason = error instanceof Error ? error.name : typeof error;
    throw new UnreadableResponseError(`the ${name} endpoint sent a response that can't be read (${reason})`);
  };
  return new Proxy(connection, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        const result: unknown = Reflect.apply(member, target, args);
        return result instanceof Promise ? result.catch(refuse) : result;
      };
    },
  });
}

function isNamed(error: unknown): boolean {
  return (
    error instanceof EndpointError ||
    error instanceof RequestRefusedError ||
    error instanceof SolanaJSONRPCError
  );
}

interface IdentityOptions extends Pick<EndpointOptions, 'name' | 'genesisHash'> {
  readonly connection: Connection;
}

function createIdentity({ name, connection, genesisHash: expected }: IdentityOptions) {
  let isOurs: boolean | null = null;
  const compare = async () => {
    const found = await connection.getGenesisHash();
    isOurs = found === expected;
    if (!isOurs) {
      console.error(JSON.stringify({ event: 'chain.wrong_cluster', endpoint: name, expected, found }));
    }
    return isOurs;
  };

  return {
    isOurs: () => isOurs,

    async identify(): Promise<boolean> {
      if (isOurs !== null) return isOurs;
      return withTimeout(
        compare(),
        ATTEMPT_TIMEOUT_MS,
        new EndpointError(`the ${name} endpoint did not respond within ${ATTEMPT_TIMEOUT_MS} ms`),
      );
    },
  };
}

function readRetryAfter({ status, headers }: Response): number | null {
  const seconds = headers.get('Retry-After');
  return status === 429 && seconds !== null && /^\d{1,9}$/.test(seconds) ? Number(seconds) * SECOND_MS : null;
}
